/** Two documents side by side: equal lines share a row, and so do changed ones. */

import { listDiff } from './diff';

/** null: there is no such line on this side. */
export interface SideRow {
  before: string | null;
  after: string | null;
  isChanged: boolean;
}

/** How two lists of lines differ; of what was changed, lines that are alike share a row. */
export function sideBySide(before: readonly string[], after: readonly string[]): SideRow[] {
  const rows: SideRow[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    rows.push(...paired(removed, added));
    [removed, added] = [[], []];
  };
  for (const { mark, text } of listDiff(before, after)) {
    if (mark === '-') removed.push(text);
    else if (mark === '+') added.push(text);
    else {
      flush();
      rows.push({ before: text, after: text, isChanged: false });
    }
  }
  flush();
  return rows;
}

const MAX_PAIRS = 10_000;

/** Removed and added lines in their order, each with the one that it was probably made of. */
function paired(removed: readonly string[], added: readonly string[]): SideRow[] {
  // To compare each with each would take too long; then the first goes with the first.
  const isMany = removed.length * added.length > MAX_PAIRS;
  const pairs = isMany
    ? removed.slice(0, added.length).map((_, at) => [at, at] as const)
    : bestPairs(removed, added);
  const rows: SideRow[] = [];
  let [row, column] = [0, 0];
  for (const [one, other] of [...pairs, [removed.length, added.length] as const]) {
    for (; row < one; row += 1) rows.push(changed(removed[row], undefined));
    for (; column < other; column += 1) rows.push(changed(undefined, added[column]));
    if (row < removed.length && column < added.length) {
      rows.push(changed(removed[row], added[column]));
      [row, column] = [row + 1, column + 1];
    }
  }
  return rows;
}

function changed(before: string | undefined, after: string | undefined): SideRow {
  return { before: before ?? null, after: after ?? null, isChanged: true };
}

type Pair = readonly [row: number, column: number];

/** The pairs, none crossing another, whose lines are most alike together. */
function bestPairs(removed: readonly string[], added: readonly string[]): Pair[] {
  const [ones, others] = [removed.map(wordsOf), added.map(wordsOf)];
  const alike = ones.map((one) => others.map((other) => likeness(one, other)));
  const width = added.length + 1;
  // How much alike the best pairs from here on are together.
  const sums = new Float64Array((removed.length + 1) * width);
  const at = (row: number, column: number) => sums[row * width + column] ?? 0;
  const asPair = (row: number, column: number) => {
    const own = alike[row]?.[column] ?? 0;
    return own === 0 ? 0 : own + at(row + 1, column + 1);
  };
  for (let row = removed.length - 1; row >= 0; row -= 1) {
    for (let column = added.length - 1; column >= 0; column -= 1) {
      const apart = Math.max(at(row + 1, column), at(row, column + 1));
      sums[row * width + column] = Math.max(apart, asPair(row, column));
    }
  }
  return pairsOf([removed.length, added.length], at, asPair);
}

type Sum = (row: number, column: number) => number;

function pairsOf([rows, columns]: Pair, at: Sum, asPair: Sum): Pair[] {
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const sum = at(row, column);
    if (sum > 0 && asPair(row, column) === sum) {
      pairs.push([row, column]);
      [row, column] = [row + 1, column + 1];
    } else if (at(row + 1, column) === sum) row += 1;
    else column += 1;
  }
  return pairs;
}

const wordsOf = (line: string) => line.split(/[^0-9A-Za-z]/);

/** 0: other segments; up to 2: the same. Alike are lines that begin alike. */
function likeness(one: readonly string[], other: readonly string[]): number {
  if (one[0] !== other[0]) return 0;
  const same = one.filter((word, at) => word === other[at]).length;
  return 1 + same / Math.max(one.length, other.length);
}

/** A part of a line. `isChanged`: the other line has something else in its place, or nothing. */
export interface SidePart {
  text: string;
  isChanged: boolean;
}

/** More are not drawn one by one. */
const MAX_PARTS = 400;

/** A line in parts: its elements that differ from those of the other line, and what is between. */
export function partsOfPair(
  line: string,
  other: string,
  element: string,
  segment: string,
): SidePart[] {
  const [own, counterpart] = [
    elementsOf(line, element, segment),
    elementsOf(other, element, segment),
  ];
  const parts: SidePart[] = [];
  let same = '';
  own.forEach((text, at) => {
    if (at > 0) same += element;
    if (text === counterpart[at]) same += text;
    else {
      parts.push({ text: same, isChanged: false }, { text, isChanged: true });
      same = '';
    }
  });
  if (parts.length > MAX_PARTS) return [{ text: line, isChanged: true }];
  const end = segment !== '' && line.endsWith(segment) ? segment : '';
  return [...parts, { text: same + end, isChanged: false }].filter(
    ({ text, isChanged }) => isChanged || text !== '',
  );
}

function elementsOf(line: string, element: string, segment: string): string[] {
  const whole = segment !== '' && line.endsWith(segment) ? line.slice(0, -segment.length) : line;
  return element === '' ? [whole] : whole.split(element);
}
