import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { ancestorIds, flatten, openAtFirst } from '../core/flatten';
import type { Row, SourceNode, TargetNode, TreeRow } from '../core/model';

/** What of a tree the user has opened, closed and searched for. */
export function useTreeState<N extends (SourceNode | TargetNode) & TreeRow<N>>(
  roots: readonly N[],
  keep: ReadonlySet<string>,
  filter: ((node: N) => boolean) | null,
) {
  // What was opened or closed by hand; all else is as it begins, also in rows that come later.
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [search, setSearch] = useState('');
  const [active, setActive] = useState<string | null>(null);
  const wanted = useDeferredValue(search);
  const first = useMemo(() => openAtFirst(roots), [roots]);
  const expanded = useMemo(() => {
    const open = new Set(first);
    for (const [id, isOpen] of byHand) {
      if (isOpen) open.add(id);
      else open.delete(id);
    }
    return open;
  }, [first, byHand]);
  const rows = useMemo<Row<N>[]>(
    () => flatten(roots, { expanded, keep, filter, search: wanted }),
    [roots, expanded, keep, filter, wanted],
  );
  const toggle = useCallback((ids: string[], open: boolean) => {
    setByHand((before) => {
      const after = new Map(before);
      for (const id of ids) after.set(id, open);
      return after;
    });
  }, []);
  const above = useMemo(() => ancestorIds(roots), [roots]);
  /** Makes a row visible and active. */
  const reveal = useCallback(
    (id: string) => {
      toggle(above.get(id) ?? [], true);
      setActive(id);
    },
    [above, toggle],
  );
  return { rows, search, setSearch, active, setActive, toggle, reveal, expanded, above };
}

export type TreeState<N> = {
  rows: Row<N>[];
  search: string;
  setSearch: (text: string) => void;
  active: string | null;
  setActive: (id: string | null) => void;
  toggle: (ids: string[], open: boolean) => void;
  reveal: (id: string) => void;
  expanded: ReadonlySet<string>;
  above: Map<string, string[]>;
};
