/** The days that a list is narrowed to. */

/** Both days count; undefined: no end. A day is as an address has it, such as `2026-02-01`. */
export interface Period {
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** Whether its first day is after its last, so that nothing can be in between. */
export function isBackwards({ date_from, date_to }: Period): boolean {
  return date_from !== undefined && date_to !== undefined && date_from > date_to;
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A day as people write it: `12 Oct 2026`. `''` of what is none. */
export function dayWords(day: string): string {
  const millis = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(millis) ? '' : DAY.format(millis);
}

/** The month of a day: `October 2026`. */
export function monthWords(day: string): string {
  return MONTH.format(Date.parse(`${day}T00:00:00Z`));
}

/** The days that a list is narrowed to, as they are: `October 2026`, `since 1 Nov 2026`; `''` if to none. */
export function periodWords({ date_from = '', date_to = '' }: Period): string {
  const [first, last] = [dayWords(date_from), dayWords(date_to)];
  if (first !== '' && last !== '') return closedWords(date_from, date_to);
  if (first !== '') return `since ${first}`;
  return last === '' ? '' : `until ${last}`;
}

function closedWords(first: string, last: string): string {
  if (isWholeMonth(first, last)) return monthWords(first);
  return first === last ? dayWords(first) : `${dayWords(first)} to ${dayWords(last)}`;
}

function isWholeMonth(first: string, last: string): boolean {
  const next = new Date(Date.parse(`${last}T00:00:00Z`) + 86_400_000).toISOString();
  return (
    first.slice(0, 7) === last.slice(0, 7) && first.endsWith('-01') && next.slice(8, 10) === '01'
  );
}
