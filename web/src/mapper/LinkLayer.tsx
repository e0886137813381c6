import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { type EdgeCounters, type LinkLayout, type LinkPanel, layoutLinks } from '../core/links';
import classes from './Mapper.module.css';
import { ROW_HEIGHT } from './TreePanel';
import type { Line } from './useView';

interface Listed {
  rows: readonly { node: { id: string } }[];
  above: ReadonlyMap<string, readonly string[]>;
}

interface Props {
  lines: readonly Line[];
  selected: ReadonlySet<string>;
  source: Listed;
  target: Listed;
  sourceScroller: RefObject<HTMLDivElement | null>;
  targetScroller: RefObject<HTMLDivElement | null>;
}

type Counters = LinkLayout['counters'];

const SVG = 'http://www.w3.org/2000/svg';

function indexes({ rows }: Listed): Map<string, number> {
  return new Map(rows.map(({ node }, index) => [node.id, index]));
}

/**
 * The lines between both trees. They are worked out anew at each paint from what is in view, and
 * drawn without React: scrolling changes all of them.
 */
export function LinkLayer(props: Props) {
  const { lines, selected, source, target, sourceScroller, targetScroller } = props;
  const gutter = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const [counters, setCounters] = useState<Counters | null>(null);
  const [top, setTop] = useState(0);
  const left = useMemo(() => indexes(source), [source]);
  const right = useMemo(() => indexes(target), [target]);
  const links = useMemo(
    () =>
      lines.map(({ key, source: from, target: to, group }) => ({
        key,
        source: from,
        target: to,
        thick: group,
      })),
    [lines],
  );

  useEffect(() => {
    const [from, to, frame, svg] = [
      sourceScroller.current,
      targetScroller.current,
      gutter.current,
      drawing.current,
    ];
    if (from === null || to === null || frame === null || svg === null) return;
    let request = 0;
    const paint = () => {
      request = 0;
      const frameTop = frame.getBoundingClientRect().top;
      const shift = to.getBoundingClientRect().top - from.getBoundingClientRect().top;
      const panel = (
        scroller: HTMLElement,
        delta: number,
      ): Omit<LinkPanel, 'rows' | 'ancestors'> => ({
        rowHeight: ROW_HEIGHT,
        scrollTop: scroller.scrollTop - delta,
        height: scroller.clientHeight + delta,
      });
      const layout = layoutLinks({
        left: { ...panel(from, 0), rows: left, ancestors: source.above },
        right: { ...panel(to, shift), rows: right, ancestors: target.above },
        links,
        selected,
        width: frame.clientWidth,
      });
      svg.replaceChildren(...drawn(layout));
      setTop(from.getBoundingClientRect().top - frameTop);
      setCounters((before) => (sameCounters(before, layout.counters) ? before : layout.counters));
    };
    const ask = () => {
      if (request === 0) request = requestAnimationFrame(paint);
    };
    const sizes = new ResizeObserver(ask);
    for (const element of [from, to, frame]) sizes.observe(element);
    from.addEventListener('scroll', ask, { passive: true });
    to.addEventListener('scroll', ask, { passive: true });
    ask();
    return () => {
      cancelAnimationFrame(request);
      sizes.disconnect();
      from.removeEventListener('scroll', ask);
      to.removeEventListener('scroll', ask);
    };
  }, [links, selected, left, right, source.above, target.above, sourceScroller, targetScroller]);

  const scrollTo = (scroller: HTMLElement | null, index: number | undefined) => {
    if (scroller === null || index === undefined) return;
    scroller.scrollTop = (index + 0.5) * ROW_HEIGHT - scroller.clientHeight / 2;
  };
  return (
    <div ref={gutter} className={classes.gutter}>
      <svg
        ref={drawing}
        className={classes.links}
        style={{ top, height: `calc(100% - ${top}px)` }}
        aria-hidden="true"
      />
      {counters !== null && (
        <>
          <Edge
            side="left"
            top={top}
            counters={counters.left}
            onGo={(id) => scrollTo(sourceScroller.current, left.get(id))}
          />
          <Edge
            side="right"
            top={top}
            counters={counters.right}
            onGo={(id) => scrollTo(targetScroller.current, right.get(id))}
          />
        </>
      )}
    </div>
  );
}

function drawn(layout: LinkLayout): SVGPathElement[] {
  const path = (d: string, marks: Record<string, boolean>) => {
    const element = document.createElementNS(SVG, 'path');
    element.setAttribute('d', d);
    for (const [name, isSet] of Object.entries(marks)) {
      if (isSet) element.setAttribute(`data-${name}`, '');
    }
    return element;
  };
  return [
    ...layout.stubs.map(({ d }) => path(d, { stub: true })),
    ...layout.curves.map(({ d, thick, thin, selected }) => path(d, { thick, thin, selected })),
  ];
}

function sameCounters(before: Counters | null, after: Counters): boolean {
  return before !== null && JSON.stringify(before) === JSON.stringify(after);
}

/** The gutter has room for three digits at each side. */
const cappedCount = (count: number) => (count > 99 ? '99+' : count);

interface EdgeProps {
  side: 'left' | 'right';
  top: number;
  counters: EdgeCounters;
  onGo: (id: string) => void;
}

/** How many linked rows are out of view; a press scrolls to the nearest. */
function Edge({ side, top, counters, onGo }: EdgeProps) {
  const panel = side === 'left' ? 'source' : 'target';
  const place = side === 'left' ? { left: 2 } : { right: 2 };
  const { above, below } = counters;
  return (
    <>
      {above.count > 0 && above.next !== null && (
        <button
          type="button"
          className={classes.counter}
          style={{ ...place, top: top + 2 }}
          aria-label={`${above.count} linked ${panel} rows above`}
          onClick={() => onGo(above.next ?? '')}
        >
          ▲ {cappedCount(above.count)}
        </button>
      )}
      {below.count > 0 && below.next !== null && (
        <button
          type="button"
          className={classes.counter}
          style={{ ...place, bottom: 2 }}
          aria-label={`${below.count} linked ${panel} rows below`}
          onClick={() => onGo(below.next ?? '')}
        >
          ▼ {cappedCount(below.count)}
        </button>
      )}
    </>
  );
}
