/** How long the control numbers of a partner still last. */
import { counted } from './treeWords';

const DAYS_A_YEAR = 365;
const MAX_YEARS = 10;

/** `12 days`, `3 years`; beyond ten years nobody plans. `days` null: too little was sent to tell. */
export function lastingWords(days: number | null): string {
  if (days === null) return 'not yet known';
  if (days < 1) return 'less than a day';
  if (days < 2 * DAYS_A_YEAR) return counted(days, 'day');
  const years = Math.floor(days / DAYS_A_YEAR);
  return years > MAX_YEARS ? `more than ${MAX_YEARS} years` : counted(years, 'year');
}

/** `999,999,621`, or that there is none. */
export function leftWords(left: number): string {
  return left === 0 ? 'none' : left.toLocaleString('en');
}
