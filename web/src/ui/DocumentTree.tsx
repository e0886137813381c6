import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import {
  ancestorsOf,
  firstExpanded,
  type Mark,
  type Placed,
  type DocumentTree as Tree,
  visibleRows,
} from '../core/documentTree';
import classes from './DocumentTree.module.css';
import { DocumentTreeRow } from './DocumentTreeRow';
import { useTreeKeyboard } from './useTreeKeyboard';

const ROW_PX = 28;

interface Props<F extends Placed> {
  /** Names the tree for screen readers. */
  label: string;
  tree: Tree;
  marks: ReadonlyMap<number, Mark<F>>;
  chosen: number;
  onChoose: (id: number) => void;
}

/**
 * The tree of a document by mouse and keyboard; only what is on the screen is in the page. Another
 * document needs another `key`, as what is unfolded belongs to one tree.
 */
export function DocumentTree<F extends Placed>({ label, tree, marks, chosen, onChoose }: Props<F>) {
  const prefix = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState(() => firstExpanded(tree));
  const rows = useMemo(() => visibleRows(tree, expanded), [tree, expanded]);
  const active = rows.findIndex(({ id }) => id === chosen);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    // The active row stays in the page, since aria-activedescendant names it.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return active < 0 || shown.includes(active)
        ? shown
        : [...shown, active].sort((one, other) => one - other);
    },
  });
  const { scrollToIndex } = list;

  // What is chosen elsewhere, as by a finding, is unfolded and brought into view.
  useEffect(() => {
    const around = ancestorsOf(tree, chosen);
    setExpanded((now) => (around.every((id) => now.has(id)) ? now : new Set([...now, ...around])));
  }, [tree, chosen]);
  useEffect(() => {
    if (active >= 0) scrollToIndex(active);
  }, [active, scrollToIndex]);

  const toggle = (id: number) =>
    setExpanded((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });

  const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / ROW_PX) - 1);
  const onKeyDown = useTreeKeyboard(
    { tree, rows, expanded, active: chosen, page },
    {
      choose: onChoose,
      expand: (ids) => setExpanded((now) => new Set([...now, ...ids])),
      toggle,
    },
  );

  return (
    <div
      ref={frame}
      className={classes.frame}
      role="tree"
      aria-label={label}
      tabIndex={0}
      {...(active >= 0 && { 'aria-activedescendant': `${prefix}${chosen}` })}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={classes.sizer} style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const item = rows[index];
          if (item === undefined) return null;
          return (
            <DocumentTreeRow
              key={item.id}
              id={`${prefix}${item.id}`}
              tree={tree}
              item={item}
              mark={marks.get(item.id)}
              expanded={item.node.children.length > 0 ? expanded.has(item.id) : null}
              chosen={item.id === chosen}
              top={start}
              onChoose={onChoose}
              onToggle={toggle}
            />
          );
        })}
      </div>
    </div>
  );
}
