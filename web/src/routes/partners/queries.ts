import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { isInProgress, isTrade } from '../../core/partnerSetup';
import type { PartnerStatus } from '../../core/partners';

export type ListedPartner = Schemas['PartnerItem'];
export type Partner = Schemas['PartnerDetail'];

/** What the list can be narrowed by, as it stands in the address of the page. */
export interface PartnerFilters {
  q?: string | undefined;
  partner_status?: PartnerStatus | undefined;
  offset?: number | undefined;
}

const WILL_BE_TRIED: ReadonlySet<string> = new Set(['pending', 'sending']);
const ON_A_PAGE = '50';
const REFRESH_MS = 15_000;
/** How often something under way is asked for: fast at first, for the simulator answers at once. */
const FOLLOW_MS = { first: 1000, later: 5000, firstTimes: 60 };
/** Acknowledgements of ours stand between the documents of the trade. */
const LOOKED_THROUGH = '50';

export function partnersQuery({ q, partner_status, offset }: PartnerFilters) {
  const query = {
    limit: ON_A_PAGE,
    ...(q !== undefined && { q }),
    ...(partner_status !== undefined && { partner_status }),
    ...(offset !== undefined && { offset: String(offset) }),
  };
  return queryOptions({
    queryKey: ['partners', query],
    queryFn: ({ signal }) => data(api.GET('/api/partners', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    // In the order of ids, so nothing moves by it.
    refetchInterval: REFRESH_MS,
  });
}

/** A partner with all that was agreed. */
export function partnerQuery(id: string) {
  const params = { path: { id } };
  return queryOptions({
    queryKey: ['partner', id],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/api/partners/{id}', { params, signal }))).partner,
  });
}

export function controlNumbersQuery(id: number) {
  const params = { path: { id: String(id) } };
  return queryOptions({
    queryKey: ['partner', String(id), 'control-numbers'],
    queryFn: ({ signal }) =>
      data(api.GET('/api/partners/{id}/control-numbers', { params, signal })),
  });
}

export type Exchange = Schemas['TransactionRecord'];

/** The newest test document that was sent to a partner, and whether one was ever accepted. */
export function exchangesQuery(id: number) {
  const common = { partner_id: String(id), direction: 'outbound', test: 'true' } as const;
  const newest = { ...common, limit: LOOKED_THROUGH };
  const accepted = { ...common, ack_status: 'accepted,accepted_with_errors', limit: '1' };
  return queryOptions({
    queryKey: ['partner', String(id), 'exchanges'],
    queryFn: async ({ signal }) => {
      const [sent, answered] = await Promise.all([
        data(api.GET('/api/transactions', { params: { query: newest }, signal })),
        data(api.GET('/api/transactions', { params: { query: accepted }, signal })),
      ]);
      return {
        latest: sent.transactions.find(isTrade) ?? null,
        wasAccepted: answered.transactions.length > 0,
      };
    },
  });
}

/** One exchange with what happened to it, asked for again as long as something may still happen. */
export function exchangeQuery(id: number) {
  const params = { path: { id: String(id) } };
  return queryOptions({
    queryKey: ['transactions', id, 'followed'],
    queryFn: async ({ signal }) => {
      const [shown, history] = await Promise.all([
        data(api.GET('/api/transactions/{id}', { params, signal })),
        data(api.GET('/api/transactions/{id}/timeline', { params, signal })),
      ]);
      return { record: shown.transaction, timeline: history.timeline };
    },
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && !isInProgress(state.data.record)) return false;
      return state.dataUpdateCount < FOLLOW_MS.firstTimes ? FOLLOW_MS.first : FOLLOW_MS.later;
    },
  });
}

/**
 * The last failed delivery over the connection that the environment shown takes, if one failed, and
 * whether any is tried again by itself.
 */
export function lastFailureQuery(id: number) {
  const query = {
    ...{ partner_id: String(id), direction: 'outbound', sort: '-updated_at', limit: '20' },
    delivery_status: 'pending,sending,failed,held',
  } as const;
  return queryOptions({
    queryKey: ['partner', String(id), 'failure'],
    queryFn: async ({ signal }) => {
      const found = await data(api.GET('/api/transactions', { params: { query }, signal }));
      const failed = found.transactions.filter(({ last_error }) => last_error !== null);
      const [record = null] = failed;
      const isTriedAgain = failed.some(({ delivery_status }) => WILL_BE_TRIED.has(delivery_status));
      return { record, isTriedAgain: record === null ? null : isTriedAgain };
    },
  });
}
