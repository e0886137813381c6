/** What a key does in the tree of a document (WAI-ARIA tree pattern). */

import type { DocumentTree, TreeItem } from './documentTree';

/** Where to go, or what to unfold and fold; `choose`: take the active row. */
export type TreeAction =
  | { kind: 'go'; id: number }
  | { kind: 'expand'; ids: number[] }
  | { kind: 'collapse'; id: number }
  | { kind: 'choose' };

export interface TreeView {
  tree: DocumentTree;
  rows: readonly TreeItem[];
  expanded: ReadonlySet<number>;
  active: number;
  /** Rows that fit on the screen. */
  page: number;
}

type Move = (view: TreeView, index: number, item: TreeItem) => TreeAction | null;

function goTo(view: TreeView, index: number): TreeAction | null {
  const row = view.rows[Math.max(0, Math.min(index, view.rows.length - 1))];
  return row === undefined ? null : { kind: 'go', id: row.id };
}

function right(view: TreeView, index: number, item: TreeItem): TreeAction | null {
  if (item.node.children.length === 0) return null;
  if (!view.expanded.has(item.id)) return { kind: 'expand', ids: [item.id] };
  return goTo(view, index + 1);
}

function left(view: TreeView, _: number, item: TreeItem): TreeAction | null {
  if (view.expanded.has(item.id) && item.node.children.length > 0) {
    return { kind: 'collapse', id: item.id };
  }
  return item.parent < 0 ? null : { kind: 'go', id: item.parent };
}

function siblings(view: TreeView, _: number, item: TreeItem): TreeAction {
  const ids = view.tree.items
    .filter(({ parent, node }) => parent === item.parent && node.children.length > 0)
    .map(({ id }) => id);
  return { kind: 'expand', ids };
}

const KEYS: Readonly<Record<string, Move>> = {
  ArrowDown: (view, index) => goTo(view, index + 1),
  ArrowUp: (view, index) => goTo(view, index - 1),
  Home: (view) => goTo(view, 0),
  End: (view) => goTo(view, view.rows.length - 1),
  PageDown: (view, index) => goTo(view, index + view.page),
  PageUp: (view, index) => goTo(view, index - view.page),
  ArrowRight: right,
  ArrowLeft: left,
  '*': siblings,
  Enter: () => ({ kind: 'choose' }),
  ' ': () => ({ kind: 'choose' }),
};

/** What `key` does; null: nothing here. */
export function treeAction(view: TreeView, key: string): TreeAction | null {
  const index = view.rows.findIndex(({ id }) => id === view.active);
  const item = view.rows[index];
  if (item === undefined) return goTo(view, 0);
  return KEYS[key]?.(view, index, item) ?? null;
}

/** The next row after the active one whose code or name begins with what was typed. */
export function typedRow(view: TreeView, typed: string): number | null {
  const start = view.rows.findIndex(({ id }) => id === view.active);
  const wanted = typed.toLowerCase();
  // A second letter narrows the search; only a first one leaves the row.
  const from = typed.length > 1 ? Math.max(start, 0) : start + 1;
  for (let step = 0; step < view.rows.length; step += 1) {
    const row = view.rows[(from + step) % view.rows.length];
    if (row === undefined) return null;
    const { code, name } = row.node;
    if (code.toLowerCase().startsWith(wanted) || name.toLowerCase().startsWith(wanted)) {
      return row.id;
    }
  }
  return null;
}
