/** How lists of rules differ, and texts by their lines. */

import type { Rule } from './model';

/** `+`: only in the second; `-`: only in the first; `~`: in both, with other members. */
export interface RuleChange {
  mark: '+' | '-' | '~';
  tgt: string;
  before: Rule | null;
  after: Rule | null;
}

/** A rule in canonical form: members in order, those that are absent left out. */
export function ruleKey(rule: Rule): string {
  return JSON.stringify(Object.entries(rule).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What became of the rules of `a` in `b`. Rules of one target are paired in their order. */
export function ruleDiff(a: readonly Rule[], b: readonly Rule[]): RuleChange[] {
  const before = byTarget(a);
  const after = byTarget(b);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((tgt) => {
    const [mine, theirs] = unpaired(before.get(tgt) ?? [], after.get(tgt) ?? []);
    const length = Math.max(mine.length, theirs.length);
    return Array.from({ length }, (_, at) => change(tgt, mine[at] ?? null, theirs[at] ?? null));
  });
}

function change(tgt: string, before: Rule | null, after: Rule | null): RuleChange {
  return { mark: before === null ? '+' : after === null ? '-' : '~', tgt, before, after };
}

function byTarget(rules: readonly Rule[]): Map<string, Rule[]> {
  const found = new Map<string, Rule[]>();
  for (const rule of rules) {
    const known = found.get(rule.tgt);
    known?.push(rule);
    if (known === undefined) {
      found.set(rule.tgt, [rule]);
    }
  }
  return found;
}

/** Those of both lists that have no equal in the other. */
function unpaired(mine: readonly Rule[], theirs: readonly Rule[]): [Rule[], Rule[]] {
  const counts = new Map<string, number>();
  for (const rule of mine) {
    counts.set(ruleKey(rule), (counts.get(ruleKey(rule)) ?? 0) + 1);
  }
  const others = theirs.filter((rule) => !taken(counts, ruleKey(rule)));
  // What is left in the counts has no equal; the last ones of several alike.
  const rest = [...mine].reverse().filter((rule) => taken(counts, ruleKey(rule)));
  return [rest.reverse(), others];
}

function taken(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  counts.set(key, Math.max(count - 1, 0));
  return count > 0;
}

/** The rules of one target that both sides changed, each in its way. */
export interface RuleConflict {
  tgt: string;
  base: Rule[];
  mine: Rule[];
  theirs: Rule[];
}

/** `merged`: what follows without conflict; of a conflict it has the rules of `mine`. */
export interface Merge {
  merged: Rule[];
  conflicts: RuleConflict[];
}

/** Join two changes of the same rules, target by target. */
export function threeWay(
  base: readonly Rule[],
  mine: readonly Rule[],
  theirs: readonly Rule[],
): Merge {
  const sides = [base, mine, theirs].map(byTarget);
  const conflicts: RuleConflict[] = [];
  const chosen = new Map<string, Rule[]>();
  for (const tgt of new Set([...mine, ...theirs, ...base].map((rule) => rule.tgt))) {
    const [old = [], own = [], other = []] = sides.map((side) => side.get(tgt) ?? []);
    const isMine = isAlike(other, old) || isAlike(own, other);
    if (!isMine && !isAlike(own, old)) {
      conflicts.push({ tgt, base: old, mine: own, theirs: other });
    }
    chosen.set(tgt, isMine || !isAlike(own, old) ? own : other);
  }
  return { merged: inOrder(chosen, mine, theirs), conflicts };
}

/** Put another side of a conflict into merged rules. */
export function resolved(merged: readonly Rule[], conflict: RuleConflict, rules: Rule[]): Rule[] {
  const at = merged.findIndex((rule) => rule.tgt === conflict.tgt);
  const rest = merged.filter((rule) => rule.tgt !== conflict.tgt);
  rest.splice(at < 0 ? rest.length : at, 0, ...rules);
  return rest;
}

function isAlike(one: readonly Rule[], other: readonly Rule[]): boolean {
  return one.length === other.length && one.every((rule, at) => ruleKey(rule) === keyAt(other, at));
}

function keyAt(rules: readonly Rule[], at: number): string {
  const rule = rules[at];
  return rule === undefined ? '' : ruleKey(rule);
}

/** The chosen rules in the order of mine; those that only the others have at the end. */
function inOrder(
  chosen: ReadonlyMap<string, Rule[]>,
  mine: readonly Rule[],
  theirs: readonly Rule[],
): Rule[] {
  const waiting = new Map([...chosen].map(([tgt, rules]) => [tgt, [...rules]]));
  const next = ({ tgt }: Rule) => waiting.get(tgt)?.shift() ?? [];
  const own = mine.flatMap(next);
  return [...own, ...theirs.flatMap(next)];
}

export interface LineChange {
  mark: ' ' | '+' | '-';
  text: string;
}

const MOST_CELLS = 4_000_000;

/**
 * How two texts differ by lines. Beginning and end that are equal cost nothing; where what is
 * between them is too long to be compared, it is shown as removed and added.
 */
export function lineDiff(a: string, b: string): LineChange[] {
  const [before, after] = [a.split('\n'), b.split('\n')];
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
  if (before.length * after.length > MOST_CELLS) {
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
