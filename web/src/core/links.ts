/**
 * Where the lines between both panels run. An end is the row if it is in view, else its collapsed
 * ancestor, else the edge of the panel. A whole curve is drawn only if both ends are in view or
 * the link is selected, else a stub at the end that is; what is out of view is counted.
 */

/** A panel: which rows are listed and what of the list is in view, in pixels. */
export interface LinkPanel {
  /** The index of each listed row by its id. */
  rows: ReadonlyMap<string, number>;
  /** The rows around each row, outermost first; also of rows that are not listed. */
  ancestors: ReadonlyMap<string, readonly string[]>;
  rowHeight: number;
  scrollTop: number;
  height: number;
}

/** `thick`: of a group, such as a loop and its array. */
export interface Link {
  key: string;
  source: string;
  target: string;
  thick?: boolean;
}

export interface LinkCurve {
  key: string;
  d: string;
  thick: boolean;
  thin: boolean;
  selected: boolean;
}

export interface LinkStub {
  key: string;
  d: string;
  side: 'left' | 'right';
}

/** What is out of view at one edge. `next`: the id of the nearest row there; null if none. */
export interface EdgeCounter {
  count: number;
  next: string | null;
}

export interface EdgeCounters {
  above: EdgeCounter;
  below: EdgeCounter;
}

export interface LinkLayout {
  curves: LinkCurve[];
  stubs: LinkStub[];
  counters: { left: EdgeCounters; right: EdgeCounters };
}

export interface LinkInput {
  left: LinkPanel;
  right: LinkPanel;
  links: readonly Link[];
  selected: ReadonlySet<string>;
  /** Of the gutter between both panels. */
  width: number;
}

const STUB = 14;

/** `index`: of the row in its list. `y`: cut at the edges of the panel. */
interface End {
  id: string;
  index: number;
  y: number;
  place: 'view' | 'above' | 'below';
  isAncestor: boolean;
}

/** Lay out all links; time grows with their number alone. */
export function layoutLinks({ left, right, links, selected, width }: LinkInput): LinkLayout {
  const counters = { left: new Counting(), right: new Counting() };
  const curves = new Map<string, LinkCurve>();
  const stubs = new Map<string, LinkStub>();
  for (const link of links) {
    const from = endOf(left, link.source);
    const to = endOf(right, link.target);
    counters.left.add(from);
    counters.right.add(to);
    const isSelected = selected.has(link.key);
    const isShown = from?.place === 'view' && to?.place === 'view';
    if (from !== null && to !== null && (isShown || isSelected)) {
      merge(curves, curve(link, from, to, { isSelected, width }));
    } else {
      for (const stub of stubsOf(link, from, to, width)) {
        stubs.set(stub.d, stub);
      }
    }
  }
  const drawn = [...curves.values()];
  return {
    curves: [...drawn.filter((each) => !each.selected), ...drawn.filter((each) => each.selected)],
    stubs: [...stubs.values()],
    counters: { left: counters.left.edges, right: counters.right.edges },
  };
}

/** Where a link ends: null if neither the row nor any row around it is listed. */
function endOf(panel: LinkPanel, id: string): End | null {
  const shown = [id, ...[...(panel.ancestors.get(id) ?? [])].reverse()].find((each) =>
    panel.rows.has(each),
  );
  const index = shown === undefined ? undefined : panel.rows.get(shown);
  if (shown === undefined || index === undefined) {
    return null;
  }
  const y = (index + 0.5) * panel.rowHeight - panel.scrollTop;
  const place = y < 0 ? 'above' : y > panel.height ? 'below' : 'view';
  const cut = Math.min(Math.max(y, 0), panel.height);
  return { id: shown, index, y: cut, place, isAncestor: shown !== id };
}

function curve(
  link: Link,
  from: End,
  to: End,
  { isSelected, width }: { isSelected: boolean; width: number },
): LinkCurve {
  const middle = width / 2;
  return {
    key: link.key,
    d: `M0 ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${width} ${to.y}`,
    thick: link.thick === true,
    thin: from.isAncestor || to.isAncestor,
    selected: isSelected,
  };
}

/** Lines with the same ends are one; it is as strong as the strongest of them. */
function merge(curves: Map<string, LinkCurve>, one: LinkCurve): void {
  const other = curves.get(one.d);
  const isFirst = other === undefined || (one.selected && !other.selected);
  curves.set(one.d, {
    ...(isFirst ? one : other),
    thick: one.thick || other?.thick === true,
    thin: one.thin && other?.thin !== false,
    selected: one.selected || other?.selected === true,
  });
}

function stubsOf(link: Link, from: End | null, to: End | null, width: number): LinkStub[] {
  const { key } = link;
  const stubs: LinkStub[] = [];
  if (from?.place === 'view') {
    stubs.push({ key, d: `M0 ${from.y}H${STUB}`, side: 'left' });
  }
  if (to?.place === 'view') {
    stubs.push({ key, d: `M${width} ${to.y}H${width - STUB}`, side: 'right' });
  }
  return stubs;
}

/** Counts the ends that are out of view, and finds the nearest of them. */
class Counting {
  readonly edges: EdgeCounters = {
    above: { count: 0, next: null },
    below: { count: 0, next: null },
  };
  readonly #nearest = { above: -1, below: Number.POSITIVE_INFINITY };

  add(end: End | null): void {
    if (end === null || end.place === 'view') {
      return;
    }
    const { place, index, id } = end;
    const isNearer = place === 'above' ? index > this.#nearest.above : index < this.#nearest.below;
    if (isNearer) {
      this.#nearest[place] = index;
      this.edges[place].next = id;
    }
    this.edges[place].count += 1;
  }
}
