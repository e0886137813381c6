/** Named sets of filters of a list: those that are ready, and those that somebody has kept. */

import { monthWords } from './period';

export type ViewFilters = Readonly<Record<string, string>>;

export interface SavedView {
  name: string;
  filters: ViewFilters;
}

export const MAX_VIEWS = 50;
export const MAX_NAME_CHARS = 60;
const MAX_TEXT_CHARS = 500;
/** What has failed, on either side. */
const FAILURES = 'failed,rejected,invalid,quarantined';

/** The views that everybody has; `now`: milliseconds since 1970. Months are those of UTC. */
export function readyViews(now: number): SavedView[] {
  const current = monthOf(now, 0);
  const last = monthOf(now, -1);
  return [
    {
      name: `Failures in ${monthWords(current.first)}`,
      filters: { status: FAILURES, date_from: current.first, date_to: current.end },
    },
    {
      name: `Failures in ${monthWords(last.first)}`,
      filters: { status: FAILURES, date_from: last.first, date_to: last.end },
    },
    { name: 'Rejected', filters: { status: 'rejected' } },
    { name: 'Waiting for an acknowledgement', filters: { ack_status: 'pending,overdue' } },
    { name: 'Invalid received', filters: { direction: 'inbound', status: 'invalid' } },
  ];
}

/** The first and the last day of a month, counted from the month of `now`. */
function monthOf(now: number, months: number): { first: string; end: string } {
  const day = new Date(now);
  const at = (month: number, date: number) =>
    new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + month, date))
      .toISOString()
      .slice(0, 10);
  return { first: at(months, 1), end: at(months + 1, 0) };
}

/** Read what a browser has kept; `names`: the filters that there are. Anything else is left out. */
export function decodeViews(text: string | null, names: ReadonlySet<string>): SavedView[] {
  let found: unknown;
  try {
    found = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(found)) return [];
  return found.flatMap((each: unknown) => viewOf(each, names)).slice(0, MAX_VIEWS);
}

function viewOf(found: unknown, names: ReadonlySet<string>): SavedView[] {
  if (typeof found !== 'object' || found === null) return [];
  if (!('name' in found && 'filters' in found)) return [];
  const { name, filters } = found;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARS) return [];
  if (typeof filters !== 'object' || filters === null) return [];
  const kept = Object.entries(filters).filter(
    ([filter, value]) =>
      names.has(filter) && typeof value === 'string' && value.length <= MAX_TEXT_CHARS,
  );
  return kept.length === 0 ? [] : [{ name, filters: Object.fromEntries(kept) }];
}

/** Add a view; one of the same name is replaced. Null: there are as many as can be kept. */
export function withView(views: readonly SavedView[], added: SavedView): SavedView[] | null {
  const others = withoutView(views, added.name);
  return others.length >= MAX_VIEWS ? null : [...others, added];
}

export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((view) => view.name !== name);
}
