/** The figures of the overview as people read them. */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** `40 s`, `12 min`, `31 h`, `5 d`; only whole units that have passed. */
export function spanWords(seconds: number): string {
  if (seconds < MINUTE) return `${Math.floor(seconds)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  // Terms are agreed in hours: two days late is read as 48 h.
  if (seconds < 3 * DAY) return `${Math.floor(seconds / HOUR)} h`;
  return `${Math.floor(seconds / DAY).toLocaleString('en')} d`;
}

/** The share as `1.2 %`. A share above 0 never reads as 0 %, one below 1 never as 100 %; without a total it is null. */
export function shareWords(part: number, whole: number): string | null {
  if (whole === 0) return null;
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 0.1) return 'under 0.1 %';
  if (part < whole && percent > 99.9) return 'over 99.9 %';
  return `${percent.toFixed(Number.isInteger(percent) ? 0 : 1)} %`;
}

/** How much more or less there is than before: `up 8 % on the 7 days before`. */
export function changeWords(count: number, before: number, days: number): string {
  const earlier = days === 1 ? 'yesterday' : `the ${days} days before`;
  // A day that has only begun is not measured by a whole one.
  if (days === 1) return `${before.toLocaleString('en')} ${earlier}`;
  if (before === 0) return count === 0 ? `none in ${earlier} either` : `none in ${earlier}`;
  const percent = Math.round(((count - before) / before) * 100);
  if (percent === 0) return `as many as in ${earlier}`;
  const size = Math.abs(percent).toLocaleString('en');
  return `${percent > 0 ? '▲' : '▼'} ${size} % on ${earlier}`;
}

/** A path of the application in an address that the server names, or null if it is none. */
export function pageAddress(href: string): string | null {
  return /^\/app(?:[/?][!-~]*)?$/.test(href) && !href.includes('\\') ? href : null;
}

/** What leads to an address: to one page, or to a list of so many. */
export function openWords(href: string, count: number): string {
  const isOne = count === 1 || /^\/app\/[a-z]+\/[0-9]+/.test(href);
  return isOne ? 'Open' : `Open ${count.toLocaleString('en')}`;
}
