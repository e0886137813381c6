/** What the overview asks the server for. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { filesOf } from '../../api/files';
import type { DaySpan } from '../../core/overviewDays';

export type Stats = Schemas['StatsAnswer'];
export type AttentionRow = Schemas['AttentionRow'];

/** Totals of whole days change slowly, and are expensive to compute for a busy account. */
const STATS_EVERY_MS = 60_000;
const ATTENTION_EVERY_MS = 15_000;

/** The figures of a period; those of the one before stay until they are there. */
export function statsQuery(days: DaySpan) {
  return queryOptions({
    queryKey: ['stats', days],
    queryFn: ({ signal }) => data(api.GET('/api/stats', { params: { query: days }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: STATS_EVERY_MS,
  });
}

export const attentionQuery = queryOptions({
  queryKey: ['attention'],
  queryFn: ({ signal }) => data(api.GET('/api/attention', { signal })),
  refetchInterval: ATTENTION_EVERY_MS,
});

/** Whether there ever was a transaction in this environment. */
export const anyTransactionQuery = queryOptions({
  queryKey: ['transactions', 'any'],
  queryFn: async ({ signal }) => {
    const params = { query: { limit: '1' } };
    return (await data(api.GET('/api/transactions', { params, signal }))).count > 0;
  },
});

/** The code that draws charts: asked for like data, so that a page is whole without it. */
export const chartsQuery = queryOptions({
  queryKey: ['charts'],
  queryFn: filesOf(() => import('./charts')),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});

export type Charts = typeof import('./charts');
