/** What a key on the keyboard does in a tree; both panes of the mapper use it. */

interface Place {
  depth: number;
  expanded: boolean | null;
}

export type TreeStep =
  | { kind: 'go'; index: number }
  | { kind: 'toggle'; index: number }
  | { kind: 'siblings'; index: number };

const PAGE_OVERLAP = 1;

/** The row that holds another; itself if none does. */
export function parentOf(rows: readonly Place[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    if ((rows[at]?.depth ?? 0) < depth) return at;
  }
  return index;
}

function right(rows: readonly Place[], index: number): TreeStep | null {
  const row = rows[index];
  if (row?.expanded === false) return { kind: 'toggle', index };
  return row?.expanded === true ? { kind: 'go', index: index + 1 } : null;
}

function left(rows: readonly Place[], index: number): TreeStep {
  const row = rows[index];
  if (row?.expanded === true) return { kind: 'toggle', index };
  return { kind: 'go', index: parentOf(rows, index) };
}

const STEPS: Record<
  string,
  (rows: readonly Place[], index: number, page: number) => TreeStep | null
> = {
  ArrowDown: (_, index) => ({ kind: 'go', index: index + 1 }),
  ArrowUp: (_, index) => ({ kind: 'go', index: index - 1 }),
  Home: () => ({ kind: 'go', index: 0 }),
  End: (rows) => ({ kind: 'go', index: rows.length - 1 }),
  PageDown: (_, index, page) => ({ kind: 'go', index: index + page - PAGE_OVERLAP }),
  PageUp: (_, index, page) => ({ kind: 'go', index: index - page + PAGE_OVERLAP }),
  ArrowRight: right,
  ArrowLeft: left,
  '*': (_, index) => ({ kind: 'siblings', index }),
};

/** What a key does, or null if it is none of a tree. `page`: how many rows are visible. */
export function treeStep(
  key: string,
  rows: readonly Place[],
  index: number,
  page: number,
): TreeStep | null {
  const step = STEPS[key]?.(rows, index, page) ?? null;
  if (step?.kind !== 'go') return step;
  return { kind: 'go', index: Math.max(0, Math.min(rows.length - 1, step.index)) };
}

/** The next row from `index` on whose text begins with what was typed; -1 if none does. */
export function typedAhead(texts: readonly string[], index: number, typed: string): number {
  const wanted = typed.toLowerCase();
  const from = typed.length === 1 ? index + 1 : index;
  for (let step = 0; step < texts.length; step += 1) {
    const at = (from + step) % texts.length;
    if (texts[at]?.toLowerCase().startsWith(wanted)) return at;
  }
  return -1;
}
