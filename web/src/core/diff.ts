/** How lists of rules differ, and texts by their lines. */

import type { Rule } from './model';

/** `+`: only in the second; `-`: only in the first; `~`: in both, with other members. */
export interface RuleChange {
  mark: '+' | '-' | '~';
  tgt: string;
  before: Rule | null;
  after: Rule | null;
}

/** A rule or the like in canonical form: members in order, those that are absent left out. */
export function canonical(item: object): string {
  return JSON.stringify(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Rules are joined and compared by what they write. */
export const targetOf = ({ tgt }: Rule): string => tgt;

/** What became of the rules of `a` in `b`. Rules of one target are paired in their order. */
export function ruleDiff(a: readonly Rule[], b: readonly Rule[]): RuleChange[] {
  const before = byName(a, targetOf);
  const after = byName(b, targetOf);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((tgt) => {
    const [mine, theirs] = unpaired(before.get(tgt) ?? [], after.get(tgt) ?? []);
    const length = Math.max(mine.length, theirs.length);
    return Array.from({ length }, (_, at) => change(tgt, mine[at] ?? null, theirs[at] ?? null));
  });
}

function change(tgt: string, before: Rule | null, after: Rule | null): RuleChange {
  return { mark: before === null ? '+' : after === null ? '-' : '~', tgt, before, after };
}

function byName<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    const known = found.get(nameOf(item));
    known?.push(item);
    if (known === undefined) {
      found.set(nameOf(item), [item]);
    }
  }
  return found;
}

/** Those of both lists that have no equal in the other. */
function unpaired(mine: readonly Rule[], theirs: readonly Rule[]): [Rule[], Rule[]] {
  const counts = new Map<string, number>();
  for (const rule of mine) {
    counts.set(canonical(rule), (counts.get(canonical(rule)) ?? 0) + 1);
  }
  const others = theirs.filter((rule) => !taken(counts, canonical(rule)));
  // What is left in the counts has no equal; the last ones of several alike.
  const rest = [...mine].reverse().filter((rule) => taken(counts, canonical(rule)));
  return [rest.reverse(), others];
}

function taken(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  counts.set(key, Math.max(count - 1, 0));
  return count > 0;
}

/** The items of one name that both sides changed, each in its way. */
export interface Conflict<Item> {
  name: string;
  base: Item[];
  mine: Item[];
  theirs: Item[];
}

/** `merged`: what follows without conflict; of a conflict it has the items of `mine`. */
export interface Merge<Item> {
  merged: Item[];
  conflicts: Conflict<Item>[];
}

/** Join two changes of the same items (rules, lookup tables, tests), name by name. */
export function threeWay<Item extends object>(
  base: readonly Item[],
  mine: readonly Item[],
  theirs: readonly Item[],
  nameOf: (item: Item) => string,
): Merge<Item> {
  const sides = [base, mine, theirs].map((side) => byName(side, nameOf));
  const conflicts: Conflict<Item>[] = [];
  const chosen = new Map<string, Item[]>();
  for (const name of new Set([...mine, ...theirs, ...base].map(nameOf))) {
    const [old = [], own = [], other = []] = sides.map((side) => side.get(name) ?? []);
    const isMine = isAlike(other, old) || isAlike(own, other);
    if (!isMine && !isAlike(own, old)) {
      conflicts.push({ name, base: old, mine: own, theirs: other });
    }
    chosen.set(name, isMine || !isAlike(own, old) ? own : other);
  }
  return { merged: inOrder(chosen, mine, theirs, nameOf), conflicts };
}

/** Put other items in the place of those of a name. */
export function replaced<Item extends object>(
  items: readonly Item[],
  name: string,
  others: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const at = items.findIndex((item) => nameOf(item) === name);
  const rest = items.filter((item) => nameOf(item) !== name);
  rest.splice(at < 0 ? rest.length : at, 0, ...others);
  return rest;
}

/** Whether both have the same items in the same order; the order of members does not count. */
export function isAlike(one: readonly object[], other: readonly object[]): boolean {
  return (
    one.length === other.length && one.every((item, at) => canonical(item) === keyAt(other, at))
  );
}

function keyAt(items: readonly object[], at: number): string {
  const item = items[at];
  return item === undefined ? '' : canonical(item);
}

/** The chosen items in the order of mine; those that only the others have at the end. */
function inOrder<Item>(
  chosen: ReadonlyMap<string, Item[]>,
  mine: readonly Item[],
  theirs: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const waiting = new Map([...chosen].map(([name, items]) => [name, [...items]]));
  const next = (item: Item) => waiting.get(nameOf(item))?.shift() ?? [];
  const own = mine.flatMap(next);
  return [...own, ...theirs.flatMap(next)];
}

export interface LineChange {
  mark: ' ' | '+' | '-';
  text: string;
}

const MAX_CELLS = 4_000_000;

/** How two texts differ by lines. */
export function lineDiff(a: string, b: string): LineChange[] {
  return listDiff(a.split('\n'), b.split('\n'));
}

/**
 * How two lists of lines differ. Beginning and end that are equal cost nothing; where what is
 * between them is too long to be compared, it is shown as removed and added.
 */
export function listDiff(before: readonly string[], after: readonly string[]): LineChange[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) {
    start += 1;
  }
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) {
    end += 1;
  }
  return [
    ...lines(' ', before.slice(0, start)),
    ...changed(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...lines(' ', before.slice(before.length - end)),
  ];
}

function lines(mark: LineChange['mark'], texts: readonly string[]): LineChange[] {
  return texts.map((text) => ({ mark, text }));
}

type Lengths = (row: number, column: number) => number;

function changed(before: string[], after: string[]): LineChange[] {
  if (before.length * after.length > MAX_CELLS) {
    return [...lines('-', before), ...lines('+', after)];
  }
  const width = after.length + 1;
  // The length of the longest common list of lines from here on.
  const lengths = new Uint32Array((before.length + 1) * width);
  const at: Lengths = (row, column) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  return walked(before, after, at);
}

function walked(before: readonly string[], after: readonly string[], at: Lengths): LineChange[] {
  const found: LineChange[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    const mark = markAt(before[row] === after[column], at(row + 1, column) - at(row, column + 1));
    found.push({ mark, text: (mark === '+' ? after[column] : before[row]) ?? '' });
    row += mark === '+' ? 0 : 1;
    column += mark === '-' ? 0 : 1;
  }
  return [...found, ...lines('-', before.slice(row)), ...lines('+', after.slice(column))];
}

function markAt(isSame: boolean, gain: number): LineChange['mark'] {
  return isSame ? ' ' : gain >= 0 ? '-' : '+';
}
