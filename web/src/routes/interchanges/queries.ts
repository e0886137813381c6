import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { queryClient } from '../../api/queryClient';
import { given } from '../../core/given';
import type { Decision } from '../../core/interchangeWords';
import { saveFile } from '../../ui/saveFile';
import { REFRESHED } from '../../ui/useSteadyRows';

export type Interchange = Schemas['InterchangeItem'];
export type Transaction = Schemas['TransactionRecord'];

/** What the list is narrowed by, as the address has it. */
export interface InterchangeFilters {
  status?: string | undefined;
  partner_id?: string | undefined;
  direction?: 'inbound' | 'outbound' | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** While it waits for a worker, which takes a moment. */
const WAITING_MS = 1500;

export function interchangesQuery(filters: InterchangeFilters, offset = 0) {
  const query = { ...given(filters), offset: String(offset) };
  return queryOptions({
    queryKey: ['interchanges', 'list', query],
    queryFn: ({ signal }) => data(api.GET('/api/interchanges', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    ...REFRESHED,
  });
}

export function interchangeQuery(id: string) {
  return queryOptions({
    queryKey: ['interchanges', 'one', id],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/api/interchanges/{id}', { params: { path: { id } }, signal })))
        .interchange,
    refetchInterval: ({ state }) =>
      state.data?.status === 'received' ? WAITING_MS : REFRESHED.refetchInterval,
  });
}

/** A record of an interchange; asked for anew whenever the interchange has another status. */
export function recordQuery(id: number, status: string) {
  const params = { path: { id: String(id) } };
  return queryOptions({
    queryKey: ['interchanges', 'record', id, status],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/api/transactions/{id}', { params, signal }))).transaction,
  });
}

/** What somebody decided. `partnerId`: whose it is; `acknowledge`: whether it is answered again. */
export interface Decided {
  decision: Decision;
  reason: string;
  partnerId?: number | undefined;
  acknowledge?: boolean;
}

/** Carries out a decision about one interchange. */
export async function decide(id: number, decided: Decided): Promise<void> {
  const params = { path: { id: String(id) } };
  const { decision, reason, partnerId, acknowledge = false } = decided;
  if (decision === 'release') {
    const body = { reason, partner_id: partnerId ?? null };
    await api.POST('/api/interchanges/{id}/release', { params, body });
  } else if (decision === 'replay') {
    await api.POST('/api/interchanges/{id}/replay', { params, body: { reason, acknowledge } });
  } else {
    await api.POST('/api/interchanges/{id}/discard', { params, body: { reason } });
  }
}

/** Makes everything that shows interchanges or their records be asked for again. */
export async function interchangesChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['interchanges'] }),
    queryClient.invalidateQueries({ queryKey: ['transactions'] }),
  ]);
}

/** Saves the very bytes of an interchange as a file. */
export async function downloadInterchange(id: number): Promise<void> {
  const params = { path: { id: String(id) } };
  const content: unknown = await data(
    api.GET('/api/interchanges/{id}/content', { params, parseAs: 'blob' }),
  );
  if (!(content instanceof Blob)) throw new TypeError('the content came as something else');
  saveFile(content, `interchange-${id}.edi`);
}

/** More is not drawn: who wants all of it wants the file. */
export const SHOWN_BYTES = 262_144;

/** The first bytes of an interchange; what follows is not even received. */
export function beginningQuery(id: number) {
  const params = { path: { id: String(id) } };
  return queryOptions({
    queryKey: ['interchanges', 'content', id],
    queryFn: async ({ signal }) => {
      const content: unknown = await data(
        api.GET('/api/interchanges/{id}/content', { params, parseAs: 'stream', signal }),
      );
      if (!(content instanceof ReadableStream)) throw new TypeError('the content is no stream');
      return firstBytes(content);
    },
    // The bytes never change, and each reading is noted in the audit log.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

async function firstBytes(stream: ReadableStream): Promise<Uint8Array> {
  const found = new Uint8Array(SHOWN_BYTES);
  const reader = stream.getReader();
  let length = 0;
  while (length < SHOWN_BYTES) {
    const { done, value } = await reader.read();
    if (done || !(value instanceof Uint8Array)) break;
    const piece = value.subarray(0, SHOWN_BYTES - length);
    found.set(piece, length);
    length += piece.length;
  }
  await reader.cancel();
  return found.subarray(0, length);
}
