/** Which row a place of a document belongs to: a source key, or a path that was written. */

import type { Format, SourceNode, TargetNode } from './model';
import { bareTarget, fitsTarget, sourcesOf, unescapeName } from './paths';
import { allRows } from './source';

/** The rows by the keys of their sample values, `PO1[2].02`; a branch of a code before `any`. */
export function sourceByKey(tree: readonly SourceNode[]): Map<string, SourceNode> {
  const found = new Map<string, SourceNode>();
  const nodes = [...allRows(tree)].filter((node) => node.path !== null);
  // Later ones win, so the rows of `any` come first.
  const all = [...nodes.filter(isOfAny), ...nodes.filter((node) => !isOfAny(node)).reverse()];
  for (const node of all) {
    for (const key of node.keys) {
      found.set(key, node);
    }
  }
  found.delete('');
  return found;
}

const isOfAny = (node: SourceNode) => node.again === true;

/** The rows whose sample values are among the keys, by id: what `explain.unused` names. */
export function rowsOfKeys(tree: readonly SourceNode[], keys: Iterable<string>): Set<string> {
  const wanted = new Set(keys);
  const found = new Set<string>();
  for (const node of allRows(tree)) {
    const present = node.keys.filter((key) => key !== '');
    if (present.length > 0 && present.every((key) => wanted.has(key))) {
      found.add(node.id);
    }
  }
  return found;
}

// Outputs name cells below the first row by their row.
const ROW = /^row\[[0-9]+\]\//;

/** Finds the row that a rule or an output writes to: of `items[1].qty` that of `items[*].qty`. */
export class TargetFinder {
  readonly #format: Format;
  readonly #byBare = new Map<string, TargetNode[]>();

  constructor(format: Format, tree: readonly TargetNode[]) {
    this.#format = format;
    for (const node of allRows(tree)) {
      if (node.path !== null) {
        this.add(node);
      }
    }
  }

  /** Make a row known. */
  add(node: TargetNode): void {
    const bare = this.#bare(node.path ?? '');
    this.#byBare.set(bare, [...(this.#byBare.get(bare) ?? []), node]);
  }

  /** The row of a path; one of exactly this path before one of a pattern. */
  find(tgt: string): TargetNode | null {
    const rows = this.#byBare.get(this.#bare(tgt)) ?? [];
    if (this.#format === 'csv') {
      const column = tgt.replace(ROW, '');
      return rows[0] ?? (column === tgt ? null : this.find(column));
    }
    const exact = rows.find((row) => row.path === tgt);
    return exact ?? rows.find((row) => row.path !== null && fitsTarget(row.path, tgt)) ?? null;
  }

  #bare(path: string): string {
    return this.#format === 'csv' ? unescapeName(path) : bareTarget(path);
  }
}

/** The indexes of the rules that write to each row, by its id, in their order. */
export function rulesByTarget(
  format: Format,
  tree: readonly TargetNode[],
  rules: readonly { tgt: string }[],
): Map<string, number[]> {
  const finder = new TargetFinder(format, tree);
  const found = new Map<string, number[]>();
  rules.forEach(({ tgt }, index) => {
    const id = finder.find(tgt)?.id;
    if (id !== undefined) {
      found.set(id, [...(found.get(id) ?? []), index]);
    }
  });
  return found;
}

/** The rows that rules read, by the paths of their sources: row ids to the indexes of rules. */
export function rulesBySource(
  tree: readonly SourceNode[],
  rules: readonly { src?: string | string[] }[],
): Map<string, number[]> {
  const ids = new Map<string, string>();
  const bare = new Map<string, string>();
  for (const node of allRows(tree)) {
    if (node.path !== null) {
      ids.set(node.path, node.id);
      bare.set(barePath(node.path), bare.get(barePath(node.path)) ?? node.id);
    }
  }
  // A rule may name one of several that a row stands for: `PO1.02` or `PO1[-1].02` of `PO1[*].02`.
  const idOf = (path: string) => ids.get(path) ?? bare.get(barePath(withPoint(path)));
  const found = new Map<string, number[]>();
  rules.forEach(({ src }, index) => {
    for (const id of sourcesOf(src).flatMap((path) => idOf(path) ?? [])) {
      found.set(id, [...(found.get(id) ?? []), index]);
    }
  });
  return found;
}

const ALIAS = /^([A-Za-z][A-Za-z0-9]{1,2}?)([0-9]{2})$/;

/** `BEG.03` of `BEG03`; any other path as it is. */
function withPoint(path: string): string {
  const match = ALIAS.exec(path);
  return match === null ? path : `${match[1]}.${match[2]}`;
}

/** A source path without its indexes and wildcards; `:` and `>` lead to the same row. */
function barePath(path: string): string {
  return bareTarget(path)
    .replace(/^row\//, '')
    .replace(/^:/, '')
    .replaceAll(':', '>');
}
