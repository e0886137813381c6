/** What charts, their legends, their tables and the figures above them agree on. */
import type { DaySpan } from '../../core/overviewDays';
import type { acksSearch } from '../acks/search';
import type { transactionsSearch } from '../transactions/search';

/** When a partner's acknowledgement is due, unless the partner has another term: 48 hours. */
export const TERM_SECONDS = 48 * 3600;

/** What is counted as failed; the list of transactions takes them so. */
export const FAILED_STATUSES = 'failed,rejected,invalid,quarantined';

/** The colour of a series of a chart, by its place from 0 to 5. */
export function seriesColor(index: number): string {
  return `var(--ls-chart-${index + 1})`;
}

/** Where what a figure counts is listed. */
export type Listed =
  | { to: '/app/transactions'; search: ReturnType<typeof transactionsSearch> }
  | { to: '/app/acks'; search: ReturnType<typeof acksSearch> };

export function transactionsOf(
  { from, to }: DaySpan,
  narrowed: ReturnType<typeof transactionsSearch> = {},
): Listed {
  return { to: '/app/transactions', search: { date_from: from, date_to: to, ...narrowed } };
}

/** Answers that came in these days. */
export function answersOf(
  { from, to }: DaySpan,
  narrowed: ReturnType<typeof acksSearch> = {},
): Listed {
  return {
    to: '/app/acks',
    search: { tab: 'received', date_from: from, date_to: to, ...narrowed },
  };
}

export function outstanding(narrowed: ReturnType<typeof acksSearch> = {}): Listed {
  return { to: '/app/acks', search: { tab: 'pending', ...narrowed } };
}

/** One day as a span. */
export function on(day: string): DaySpan {
  return { from: day, to: day };
}
