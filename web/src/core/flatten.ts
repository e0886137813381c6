/** The visible rows of a tree, as a list: what is expanded, passes the filter and is searched for. */

import type { Row, SourceNode, TargetNode, TreeRow } from './model';
import { allRows } from './source';

export interface FlattenOptions<N> {
  expanded: ReadonlySet<string>;
  /** Rows that no filter hides: linked and selected ones, by id. */
  keep: ReadonlySet<string>;
  /** Which rows with a value are shown; null: all. */
  filter: ((node: N) => boolean) | null;
  /** Text that names, codes, paths or values have to contain; `''`: none. */
  search: string;
}

/** A row that is to be shown, with its children that are. */
interface Shown<N> {
  node: N;
  children: Shown<N>[];
  isHit: boolean;
  /** A search found something below it, so it is opened. */
  isAncestor: boolean;
}

interface Searched {
  values?: string[];
  value?: string;
}

/** The visible rows of a tree, in order. */
export function flatten<N extends TreeRow<N>>(
  tree: readonly N[],
  options: FlattenOptions<N>,
): Row<N>[] {
  const search = options.search.trim().toLocaleLowerCase();
  const rows: Row<N>[] = [];
  listed(shownOf(tree, { ...options, search }), 0, options.expanded, rows);
  return rows;
}

function shownOf<N extends TreeRow<N>>(
  siblings: readonly N[],
  options: FlattenOptions<N>,
): Shown<N>[] {
  const shown: Shown<N>[] = [];
  for (const node of siblings) {
    const isSearched = isFound(node, options.search);
    const isHit = isSearched && isWanted(node, options);
    // What stands in a row that is found may be looked at as well.
    const children = shownOf(node.children, isSearched ? { ...options, search: '' } : options);
    if (isHit || children.length > 0) {
      const isAncestor = !isSearched;
      shown.push({ node, children, isHit, isAncestor });
    }
  }
  return shown;
}

function isWanted<N extends TreeRow<N>>(node: N, { filter, keep }: FlattenOptions<N>): boolean {
  return filter === null || keep.has(node.id) || (node.path !== null && filter(node));
}

function isFound<N extends TreeRow<N> & Searched>(node: N, search: string): boolean {
  if (search === '') {
    return true;
  }
  const has = (text: string | null | undefined) =>
    text?.toLocaleLowerCase().includes(search) ?? false;
  return (
    has(node.name) ||
    has(node.code) ||
    has(node.path) ||
    has(node.value) ||
    (node.values?.some(has) ?? false)
  );
}

function listed<N extends { id: string }>(
  siblings: readonly Shown<N>[],
  depth: number,
  expanded: ReadonlySet<string>,
  rows: Row<N>[],
): void {
  siblings.forEach(({ node, children, isAncestor }, at) => {
    const isOpen = isAncestor || expanded.has(node.id);
    rows.push({
      node,
      depth,
      index: rows.length,
      posinset: at + 1,
      setsize: siblings.length,
      expanded: children.length === 0 ? null : isOpen,
    });
    if (isOpen) {
      listed(children, depth + 1, expanded, rows);
    }
  });
}

/** Neither the envelope counts, nor values that another branch shows as well. */
function isLeftOut(node: object): boolean {
  return ('again' in node && node.again === true) || ('envelope' in node && node.envelope === true);
}

/** How many rows that can have a value pass. */
export function countRows<N extends TreeRow<N>>(
  tree: readonly N[],
  passes: (node: N) => boolean,
): number {
  let count = 0;
  for (const node of tree) {
    if (!isLeftOut(node)) {
      count += node.path !== null && passes(node) ? 1 : 0;
      count += countRows(node.children, passes);
    }
  }
  return count;
}

export type SourceFilter = 'sample' | 'all' | 'unused';
export type TargetFilter = 'all' | 'unmapped' | 'issues';

/** Whether a row has a value in the sample. */
export function isInSample(node: SourceNode): boolean {
  return node.keys.some((key) => key !== '');
}

/** What a filter of the source lets through; `unused`: ids of rows that no rule reads. */
export function sourceFilter(
  filter: SourceFilter,
  unused: ReadonlySet<string>,
): ((node: SourceNode) => boolean) | null {
  const filters = {
    all: null,
    sample: isInSample,
    unused: (node: SourceNode) => unused.has(node.id),
  };
  return filters[filter];
}

/** What a filter of the target lets through; both sets have ids of rows. */
export function targetFilter(
  filter: TargetFilter,
  mapped: ReadonlySet<string>,
  issues: ReadonlySet<string>,
): ((node: TargetNode) => boolean) | null {
  const filters = {
    all: null,
    unmapped: (node: TargetNode) => !mapped.has(node.id),
    issues: (node: TargetNode) => issues.has(node.id),
  };
  return filters[filter];
}

/** The numbers in the filters of the source. */
export function sourceCounts(
  tree: readonly SourceNode[],
  unused: ReadonlySet<string>,
): Record<SourceFilter, number> {
  return {
    sample: countRows(tree, isInSample),
    all: countRows(tree, () => true),
    unused: countRows(tree, (node) => unused.has(node.id)),
  };
}

/** The numbers in the filters of the target. */
export function targetCounts(
  tree: readonly TargetNode[],
  mapped: ReadonlySet<string>,
  issues: ReadonlySet<string>,
): Record<TargetFilter, number> {
  return {
    all: countRows(tree, () => true),
    unmapped: countRows(tree, (node) => !mapped.has(node.id)),
    issues: countRows(tree, (node) => issues.has(node.id)),
  };
}

/** What is open at first: everything but the envelope and branches of all codes. */
export function openAtFirst(tree: readonly (SourceNode | TargetNode)[]): Set<string> {
  const open = new Set<string>();
  for (const node of allRows<SourceNode | TargetNode>([...tree])) {
    const isClosed = node.id === 'envelope' || ('again' in node && node.again === true);
    if (node.children.length > 0 && !isClosed) {
      open.add(node.id);
    }
  }
  return open;
}

/** The ids of the rows around each row. */
export function ancestorIds<N extends TreeRow<N>>(tree: readonly N[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const visit = (siblings: readonly N[], above: string[]) => {
    for (const node of siblings) {
      found.set(node.id, above);
      visit(node.children, [...above, node.id]);
    }
  };
  visit(tree, []);
  return found;
}
