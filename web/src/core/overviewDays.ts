/** The days the figures of the overview are about: whole days of UTC, as `2026-01-15`. */

const DAY_MS = 86_400_000;
const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Both inclusive. */
export interface DaySpan {
  from: string;
  to: string;
}

/** The `length` days that end with the day of `now`, in milliseconds since 1970. */
export function daysUntil(now: number, length: number): DaySpan {
  return { from: dayOf(now - (length - 1) * DAY_MS), to: dayOf(now) };
}

function dayOf(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10);
}

/** `15 Jan`; a text that is no day stays as it is. */
export function dayLabel(day: string): string {
  const millis = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(millis) ? day : SHORT.format(millis);
}

/** `15 Jan to 20 Jan`, or the one day. */
export function spanLabel({ from, to }: DaySpan): string {
  return from === to ? dayLabel(from) : `${dayLabel(from)} to ${dayLabel(to)}`;
}
