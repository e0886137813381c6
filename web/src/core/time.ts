/** Times as people read them. The service speaks UTC: `2026-01-15T14:05:09`, without a zone. */

const STEPS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
];
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Milliseconds since 1970 of a UTC text with or without `Z`, or null if it is none. */
export function utcMillis(text: string): number | null {
  const millis = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(millis) ? null : millis;
}

/** `3 hours ago`, `in 2 days`, `now`; what is a month away is a day: `12 Oct 2026`. */
export function relativeTime(millis: number, now: number): string {
  let amount = (millis - now) / 1000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(amount) < size) return RELATIVE.format(Math.trunc(amount), unit);
    amount /= size;
  }
  return DAY.format(millis);
}

/** `2026-01-15 14:05:09 UTC`. */
export function absoluteTime(millis: number): string {
  return `${new Date(millis).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
