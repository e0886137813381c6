import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
} from 'react';
import type { Row } from '../core/model';
import classes from './Tree.module.css';
import { type TreeStep, treeStep, typedAhead } from './treeKeys';

export const ROW_HEIGHT = 28;
const TYPED_FOR_MS = 700;

export type Side = 'source' | 'target';

export interface TreeNode {
  id: string;
  code: string;
  name: string;
}

/** Where a row stands in the list. */
export interface RowPlace {
  side: Side;
  index: number;
  top: number;
  active: boolean;
}

interface Props<N extends TreeNode> {
  side: Side;
  label: string;
  rows: Row<N>[];
  /** The row that arrows move; it is in the DOM wherever the list is scrolled to. */
  activeId: string | null;
  onActive: (id: string) => void;
  onToggle: (ids: string[], open: boolean) => void;
  /** Of a row by the mouse; `part`: `data-part` of what was hit, `''` for the row. */
  onPress: (row: Row<N>, part: string, event: React.MouseEvent) => void;
  /** Keys that are none of a tree; true if used. */
  onKey: (event: KeyboardEvent, row: Row<N> | null) => boolean;
  onHover: (row: Row<N> | null) => void;
  onPointerDown?: (event: PointerEvent<HTMLDivElement>) => void;
  scroller: RefObject<HTMLDivElement | null>;
  /** A memoised row: scrolling draws the list anew at each frame. */
  render: (row: Row<N>, place: RowPlace) => ReactNode;
  /** Instead of rows. */
  empty: ReactNode;
}

/** A virtual tree: one stop of the Tab key, the active row named by aria-activedescendant. */
export function TreePanel<N extends TreeNode>(props: Props<N>) {
  const { side, label, rows, activeId, scroller, render } = props;
  const active = rows.findIndex((row) => row.node.id === activeId);
  const extract = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      if (active >= 0 && !indexes.includes(active)) indexes.push(active);
      return indexes;
    },
    [active],
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    rangeExtractor: extract,
    useFlushSync: false,
  });
  const shown = useRef(activeId);
  useEffect(() => {
    if (active < 0 || shown.current === activeId) return;
    shown.current = activeId;
    list.scrollToIndex(active, { align: 'auto' });
  }, [active, activeId, list]);
  const onKeyDown = useTreeKeys(props, active);
  const rowAt = (target: EventTarget) => {
    const element = target instanceof Element ? target.closest('[data-row]') : null;
    return rows[Number(element?.getAttribute('data-row') ?? -1)] ?? null;
  };
  if (rows.length === 0) {
    // No tree without rows: what stands there instead are words and buttons.
    return (
      <div ref={scroller} className={classes.scroller} data-panel={side}>
        <div className={classes.empty}>{props.empty}</div>
      </div>
    );
  }
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-panel={side}
      role="tree"
      aria-label={label}
      tabIndex={0}
      {...(active >= 0 ? { 'aria-activedescendant': `${side}-${active}` } : {})}
      onKeyDown={onKeyDown}
      onPointerDown={props.onPointerDown}
      onPointerOver={(event) => props.onHover(rowAt(event.target))}
      onPointerLeave={() => props.onHover(null)}
      onClick={(event) => {
        const row = rowAt(event.target);
        if (row === null || !(event.target instanceof Element)) return;
        const part = event.target.closest('[data-part]')?.getAttribute('data-part') ?? '';
        if (part === 'twist') props.onToggle([row.node.id], row.expanded === false);
        else props.onPress(row, part, event);
      }}
    >
      <div role="presentation" className={classes.sizer} style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <Fragment key={row.node.id}>
              {render(row, { side, index, top: start, active: index === active })}
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}

function useTreeKeys<N extends TreeNode>(props: Props<N>, active: number) {
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  const { rows, scroller } = props;
  const at = Math.max(0, active);
  const go = (index: number) => {
    const row = rows[index];
    if (row !== undefined) props.onActive(row.node.id);
  };
  const ahead = (letter: string): boolean => {
    if (letter.length !== 1 || !/[\p{L}\p{N}]/u.test(letter)) return false;
    const now = performance.now();
    const text = now - typed.current.at < TYPED_FOR_MS ? typed.current.text + letter : letter;
    typed.current = { text, at: now };
    const codes = rows.map(({ node }) => (node.code === '' ? node.name : node.code));
    const names = rows.map(({ node }) => node.name);
    const byCode = typedAhead(codes, at, text);
    go(byCode >= 0 ? byCode : typedAhead(names, at, text));
    return true;
  };
  const done = (step: TreeStep): boolean => {
    const row = rows[step.index];
    if (step.kind === 'go') go(active < 0 ? 0 : step.index);
    else if (step.kind === 'siblings') props.onToggle(siblings(rows, step.index), true);
    else if (row !== undefined) props.onToggle([row.node.id], row.expanded === false);
    return true;
  };
  const stepped = (key: string): boolean => {
    const page = Math.floor((scroller.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT);
    const step = treeStep(key, rows, at, page);
    return step !== null && done(step);
  };
  return (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    // In the middle of a typed name a letter belongs to it, whatever it does alone.
    const isTyping = performance.now() - typed.current.at < TYPED_FOR_MS;
    const used =
      (isPlain && isTyping && ahead(event.key)) ||
      props.onKey(event, rows[active] ?? null) ||
      (isPlain && (stepped(event.key) || ahead(event.key)));
    if (used) event.preventDefault();
  };
}

/** The closed siblings of a row, in both directions up to the end of their parent. */
function siblings<N extends TreeNode>(rows: Row<N>[], index: number): string[] {
  const depth = rows[index]?.depth ?? 0;
  const isEnd = (row: Row<N>) => row.depth < depth;
  const before = rows.slice(0, index).findLastIndex(isEnd) + 1;
  const length = rows.slice(index).findIndex(isEnd);
  return rows
    .slice(before, length < 0 ? undefined : index + length)
    .filter((row) => row.depth === depth && row.expanded === false)
    .map(({ node }) => node.id);
}
