import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { context } from '../../api/context';
import type { Transaction } from './queries';

export type TimelineItem = Schemas['TimelineItem'];
export type DeliveryItem = Schemas['DeliveryItem'];
export type Ack = Schemas['AckItem'];
export type AckError = Schemas['AckErrorItem'];

const BUSY_MS = 3_000;
const IDLE_MS = 15_000;
/** What is made in production is a test all the same where its document says so. */
const KINDS_SEEN = { sandbox: ['true'], production: ['true', 'false'] } as const;
const MOVING = new Set(['pending', 'sending', 'received', 'processing']);

/** How soon a record is asked for again: what moves is watched more closely. */
function paceOf(record: Transaction | undefined): number {
  if (record === undefined) return IDLE_MS;
  const isNew = Date.now() - Date.parse(`${record.created_at}Z`) < 300_000;
  const isAwaited = record.ack_status === 'pending' && isNew;
  const isMoving = MOVING.has(record.delivery_status) || MOVING.has(record.processing_status);
  return isMoving || isAwaited ? BUSY_MS : IDLE_MS;
}

export function transactionQuery(id: string) {
  return queryOptions({
    queryKey: ['transactions', 'record', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      return (await data(api.GET('/api/transactions/{id}', { params, signal }))).transaction;
    },
    refetchInterval: (query) => (query.state.error === null ? paceOf(query.state.data) : false),
  });
}

const PAIRED_SETS = new Set(['270', '271', '276', '277', '278']);

/** What a request or response is paired with; of other sets nothing is asked. */
export function pairingQuery(record: Transaction) {
  return queryOptions({
    ...queryOptionsOf(record, 'pairing'),
    queryFn: async ({ signal }) => {
      const params = { path: { id: String(record.id) } };
      return (await data(api.GET('/api/transactions/{id}', { params, signal }))).pairing;
    },
    enabled: PAIRED_SETS.has(record.tx_set),
  });
}

// What belongs to a record is asked for as often as the record itself, and whenever it has changed.
function queryOptionsOf(record: Transaction, what: string) {
  const { id, updated_at, status, delivery_status, ack_status, attempts } = record;
  return {
    queryKey: [
      ...['transactions', what, id],
      ...[updated_at, status, delivery_status, ack_status, attempts],
    ],
    placeholderData: keepPreviousData,
    refetchInterval: paceOf(record),
  };
}

/**
 * Asks for a record anew when `timeline`, of `timelineQuery`, has news: what stands over it must not
 * say less, and nobody knows which of the two was read first.
 */
export function useFollowing({ id }: Transaction, timeline: readonly TimelineItem[] | undefined) {
  const queries = useQueryClient();
  useEffect(() => {
    if (timeline === undefined) return;
    void queries.invalidateQueries({ queryKey: transactionQuery(String(id)).queryKey });
  }, [queries, id, timeline]);
}

export function timelineQuery(record: Transaction) {
  return queryOptions({
    ...queryOptionsOf(record, 'timeline'),
    queryFn: async ({ signal }) => {
      const params = { path: { id: String(record.id) } };
      return (await data(api.GET('/api/transactions/{id}/timeline', { params, signal }))).timeline;
    },
  });
}

export function deliveriesQuery(record: Transaction) {
  return queryOptions({
    ...queryOptionsOf(record, 'deliveries'),
    queryFn: async ({ signal }) => {
      const params = { path: { id: String(record.id) } };
      const call = api.GET('/api/transactions/{id}/deliveries', { params, signal });
      return (await data(call)).deliveries;
    },
  });
}

/** What a record that is to be sent waits for: its time, or another transaction. */
export function pendingQuery(record: Transaction) {
  return queryOptions({
    ...queryOptionsOf(record, 'pending'),
    queryFn: async ({ signal }) => {
      const params = { path: { id: String(record.id) } };
      const call = api.GET('/api/transactions/{id}/deliveries', { params, signal });
      const { waits_behind, next_attempt_at } = await data(call);
      return { waits_behind, next_attempt_at };
    },
  });
}

/** What acknowledges a record: of what we sent the partner's, of what we received ours. */
export function acksQuery(record: Transaction) {
  return queryOptions({
    ...queryOptionsOf(record, 'acks'),
    queryFn: async ({ signal }) => {
      const query = { transaction_id: String(record.id), ack_type: 'all', limit: '200' };
      return (await data(api.GET('/api/acks', { params: { query }, signal }))).acks;
    },
  });
}

/** The newest records that were made of this one later, the first one first. */
export function laterQuery({ id }: Transaction) {
  return queryOptions({
    queryKey: ['transactions', 'later', id],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        KINDS_SEEN[context.environment()].map(async (test) => {
          const query = { parent_id: String(id), test, sort: '-id', limit: '200' };
          return (await data(api.GET('/api/transactions', { params: { query }, signal })))
            .transactions;
        }),
      );
      return found.flat().toSorted((one, other) => one.id - other.id);
    },
    refetchInterval: ({ state: { data: made = [], error } }) =>
      error === null && Math.min(IDLE_MS, ...made.map(paceOf)),
  });
}

/** What made a stored document; its content is not kept. */
export function madeByQuery(docId: number) {
  return queryOptions({
    queryKey: ['vault', 'lineage', docId],
    queryFn: async ({ signal }) => {
      const params = { path: { id: String(docId) } };
      const { doc } = await data(api.GET('/api/vault/{id}', { params, signal }));
      return { mapId: doc.map_id, version: doc.map_version, sourceId: doc.source_doc_id };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
