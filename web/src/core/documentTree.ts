/**
 * The tree of a document as rows of a list: what is unfolded, where a path leads, which row a key
 * goes to, which rows have findings. Rows are known by their place in document order, from 0.
 */

import type { InspectNode } from './model';

/** A node and its place. `parent`: -1 at the top. `end`: the first row after its descendants. */
export interface TreeItem {
  id: number;
  node: InspectNode;
  depth: number;
  parent: number;
  end: number;
  posinset: number;
  setsize: number;
  /** 1-based among the segments of the document; 0 of what is no segment. */
  segment: number;
}

export interface DocumentTree {
  items: TreeItem[];
  byPath: Map<string, number>;
}

/** What of a finding the tree needs. */
export interface Placed {
  path: string | null;
  severity: 'error' | 'warning' | 'info';
}

/** Findings of a row: its own, and how many there are below it. */
export interface Mark<F> {
  own: F[];
  errorsBelow: number;
  warningsBelow: number;
}

const GROUPS = new Set(['set', 'loop']);
const CLOSED = new Set(['segment', 'row']);
const MAX_ROWS_AT_FIRST = 400;

/** Number the nodes in document order. */
export function documentTree(roots: readonly InspectNode[]): DocumentTree {
  const items: TreeItem[] = [];
  let segments = 0;
  const add = (siblings: readonly InspectNode[], depth: number, parent: number) => {
    for (const [index, node] of siblings.entries()) {
      const id = items.length;
      const segment = node.kind === 'segment' ? ++segments : 0;
      const place = { posinset: index + 1, setsize: siblings.length, segment };
      const item = { id, node, depth, parent, end: id + 1, ...place };
      items.push(item);
      add(node.children, depth + 1, id);
      item.end = items.length;
    }
  };
  add(roots, 0, -1);
  return { items, byPath: pathsOf(items) };
}

// A set, a loop and the segment that begins it share a path, which means the segment.
function pathsOf(items: readonly TreeItem[]): Map<string, number> {
  const byPath = new Map<string, number>();
  for (const { id, node } of items) {
    const known = byPath.get(node.path);
    const kind = known === undefined ? undefined : items[known]?.node.kind;
    if (kind === undefined || GROUPS.has(kind)) byPath.set(node.path, id);
  }
  return byPath;
}

const LAST_STEP = /(?:\[[0-9]+\]|[./][^./[]*|^[^./[]*)$/;

/** The row of a path, or of the nearest thing around it: of a missing element its segment. */
export function rowOfPath(tree: DocumentTree, path: string): number | null {
  let rest = path;
  let hasIndex = false;
  while (rest !== '') {
    const found = tree.byPath.get(rest);
    // `PO1` is the first of several, not what is around `PO1[9]`; an array is around its items.
    const isAround = !hasIndex || tree.items[found ?? -1]?.node.kind === 'array';
    if (found !== undefined && isAround) return found;
    const step = LAST_STEP.exec(rest)?.[0] ?? rest;
    hasIndex = step.startsWith('[');
    rest = rest.slice(0, rest.length - step.length);
  }
  return null;
}

/** The rows around a row, nearest first. */
export function ancestorsOf(tree: DocumentTree, id: number): number[] {
  const around: number[] = [];
  let at = tree.items[id]?.parent ?? -1;
  while (at >= 0) {
    around.push(at);
    at = tree.items[at]?.parent ?? -1;
  }
  return around;
}

/** What is unfolded at first: sets and the top, then level by level what has room; no segments. */
export function firstExpanded(tree: DocumentTree): Set<number> {
  const expanded = new Set<number>();
  let rows = tree.items.filter(({ depth }) => depth === 0).length;
  const byDepth = tree.items
    .filter(({ node }) => node.children.length > 0 && !CLOSED.has(node.kind))
    .sort((one, other) => one.depth - other.depth || one.id - other.id);
  for (const { id, node, parent } of byDepth) {
    const isReached = parent < 0 || expanded.has(parent);
    const hasRoom = rows + node.children.length <= MAX_ROWS_AT_FIRST;
    if (!isReached || !(parent < 0 || hasRoom)) continue;
    rows += node.children.length;
    expanded.add(id);
  }
  return expanded;
}

/** The rows that are not inside a closed one, in document order. */
export function visibleRows(tree: DocumentTree, expanded: ReadonlySet<number>): TreeItem[] {
  const rows: TreeItem[] = [];
  let id = 0;
  while (id < tree.items.length) {
    const item = tree.items[id];
    if (item === undefined) break;
    rows.push(item);
    id = item.node.children.length > 0 && !expanded.has(id) ? item.end : id + 1;
  }
  return rows;
}

/** The values below a row on one line, for where they are folded away. */
export function summaryOf(tree: DocumentTree, item: TreeItem, mostChars = 120): string {
  const values: string[] = [];
  let chars = 0;
  for (let id = item.id + 1; id < item.end && chars < mostChars; id += 1) {
    const value = tree.items[id]?.node.value;
    if (value === undefined || value === null || value === '') continue;
    values.push(value.slice(0, mostChars));
    chars += value.length + 3;
  }
  return values.join(' · ');
}

/** Findings by row; what has no place in the tree is left out. */
export function marksOf<F extends Placed>(
  tree: DocumentTree,
  findings: readonly F[],
): Map<number, Mark<F>> {
  const marks = new Map<number, Mark<F>>();
  const at = (id: number) => {
    const mark = marks.get(id) ?? { own: [], errorsBelow: 0, warningsBelow: 0 };
    marks.set(id, mark);
    return mark;
  };
  const place = (finding: F, row: number) => {
    at(row).own.push(finding);
    const count = finding.severity === 'error' ? 'errorsBelow' : 'warningsBelow';
    for (const around of ancestorsOf(tree, row)) at(around)[count] += 1;
  };
  for (const finding of findings) {
    const row = finding.path === null ? null : rowOfPath(tree, finding.path);
    if (row !== null) place(finding, row);
  }
  return marks;
}
