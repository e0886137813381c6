import { useState } from 'react';
import { countWaiting, inPlace } from '../core/steadyRows';

/** Spread into the options of a query: a list asks anew by itself, but not in a hidden tab. */
export const REFRESHED = { refetchInterval: 15_000 } as const;

/** Scrolled by less than this a page counts as at its top. */
const TOP_PX = 8;

interface Options<Row> {
  /** The rows as the server gave them last; undefined: not yet. */
  latest: Row[] | undefined;
  /** `isPlaceholderData` of the query: the rows are still those of another view. */
  isPlaceholder: boolean;
  /** Names what is looked at, as filters and page: another view shows its rows at once. */
  view: string;
  keyOf: (row: Row) => string | number;
  /** Rows may come without being asked for: it is the first page and nothing is ticked. */
  isFree: boolean;
}

interface Steady<Row> {
  rows: Row[];
  /** How many rows are there that are not shown. */
  waiting: number;
  /** Shows the list as it is now. */
  show: () => void;
}

interface Held<Row> {
  view: string;
  latest: Row[];
  rows: Row[];
}

/** The rows of a list that refreshes: nothing moves under the reader. */
export function useSteadyRows<Row>(options: Options<Row>): Steady<Row> {
  const { isPlaceholder, view, keyOf } = options;
  const [none] = useState<Row[]>([]);
  const latest = options.latest ?? none;
  const [held, hold] = useState<Held<Row>>({ view, latest, rows: latest });
  const now = isPlaceholder ? held : heldNext(held, latest, options);
  if (now !== held) hold(now);
  return {
    rows: now.rows,
    waiting: now.rows === now.latest ? 0 : countWaiting(now.rows, now.latest, keyOf),
    show: () => hold({ view: now.view, latest: now.latest, rows: now.latest }),
  };
}

function heldNext<Row>(held: Held<Row>, latest: Row[], options: Options<Row>): Held<Row> {
  const { view, keyOf, isFree } = options;
  if (held.view !== view) return { view, latest, rows: latest };
  if (held.latest === latest) return held;
  const mayCome = held.rows.length === 0 || (isFree && window.scrollY < TOP_PX);
  return { view, latest, rows: mayCome ? latest : inPlace(held.rows, latest, keyOf) };
}
