import { useQuery } from '@tanstack/react-query';
import { daysUntil } from '../../core/overviewDays';
import type { PeriodLength } from './periods';
import { anyTransactionQuery, attentionQuery, statsQuery } from './queries';

/**
 * The figures of a period that ends today, and whether there is any trade to speak of: undefined
 * while nobody knows. What cannot be found out counts as trade, whose view says what failed.
 */
export function useTrade(length: PeriodLength) {
  const stats = useQuery(statsQuery(daysUntil(Date.now(), length)));
  const attention = useQuery(attentionQuery);
  const { totals, previous } = stats.data ?? { totals: undefined, previous: undefined };
  const isBusy =
    stats.isError ||
    (attention.data?.items.length ?? 0) > 0 ||
    (totals?.count ?? 0) + (previous?.count ?? 0) + (totals?.pending_acks ?? 0) > 0;
  // Asked only of an account that looks new: long ago there may have been some.
  const any = useQuery({ ...anyTransactionQuery, enabled: stats.isSuccess && !isBusy });
  return { stats, isTrading: isBusy || any.isError ? true : any.data };
}
