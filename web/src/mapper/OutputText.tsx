import { useEffect, useMemo, useRef } from 'react';
import classes from './Preview.module.css';

export interface Range {
  start: number;
  end: number;
}

interface Props {
  text: string;
  /** Of the selected row. */
  marked: Range | null;
  /** Of the row under the pointer. */
  hovered: Range | null;
  stale: boolean;
  onPlace: (offset: number | null) => void;
  onPress: (offset: number) => void;
}

/** Longer output is cut in the view; Copy and Download have all of it. */
const MAX_SHOWN = 400_000;

/** The output as text; a place of it and the row it comes from mark each other. */
export function OutputText({ text, marked, hovered, stale, onPlace, onPress }: Props) {
  const frame = useRef<HTMLElement>(null);
  const shown = text.length > MAX_SHOWN ? text.slice(0, MAX_SHOWN) : text;
  const parts = useMemo(() => partsOf(shown, marked, hovered), [shown, marked, hovered]);
  const start = marked?.start;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place brings another mark into view
  useEffect(() => {
    frame.current?.querySelector('mark[data-selected]')?.scrollIntoView({ block: 'nearest' });
  }, [start]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: rows of the target lead to the same places by keyboard
    <section
      ref={frame}
      className={classes.output}
      data-stale={stale || undefined}
      aria-busy={stale}
      aria-label="Output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onPointerMove={(event) => onPlace(offsetAt(event.clientX, event.clientY))}
      onPointerLeave={() => onPlace(null)}
      onClick={(event) => {
        const at = offsetAt(event.clientX, event.clientY);
        if (at !== null) onPress(at);
      }}
    >
      <pre>
        {parts.map(({ from, to, kind }) => (
          <Part key={from} text={shown.slice(from, to)} from={from} kind={kind} />
        ))}
      </pre>
      {shown.length < text.length && (
        <p>Only the first {MAX_SHOWN.toLocaleString('en')} characters are shown.</p>
      )}
    </section>
  );
}

interface PartProps {
  text: string;
  from: number;
  kind: 'plain' | 'marked' | 'hovered';
}

function Part({ text, from, kind }: PartProps) {
  if (kind === 'plain') return <span data-from={from}>{text}</span>;
  return (
    <mark
      data-from={from}
      data-selected={kind === 'marked' || undefined}
      className={kind === 'marked' ? classes.marked : classes.hovered}
    >
      {text}
    </mark>
  );
}

function partsOf(text: string, marked: Range | null, hovered: Range | null) {
  const cuts = new Set([0, text.length]);
  for (const range of [marked, hovered]) {
    if (range !== null)
      cuts.add(Math.min(range.start, text.length)).add(Math.min(range.end, text.length));
  }
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1] ?? text.length;
    const isIn = (range: Range | null) => range !== null && from >= range.start && to <= range.end;
    const kind: PartProps['kind'] = isIn(marked) ? 'marked' : isIn(hovered) ? 'hovered' : 'plain';
    return { from, to, kind };
  });
}

/** The offset in the whole text of what stands at a point of the screen. */
function offsetAt(x: number, y: number): number | null {
  const caret = document.caretPositionFromPoint?.(x, y) ?? null;
  const from = caret?.offsetNode.parentElement?.getAttribute('data-from');
  if (caret === null || from === null || from === undefined) return null;
  return Number(from) + caret.offset;
}
