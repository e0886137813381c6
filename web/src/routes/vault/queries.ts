import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { given } from '../../core/given';
import type { Format } from '../../core/model';

export type StoredDocument = Schemas['VaultDocumentItem'];
export type StoredDetail = Schemas['VaultDocumentDetail'];

/** What the list can be narrowed by, as it stands in the address of the page. */
export interface VaultFilters {
  q?: string | undefined;
  fmt?: Format | undefined;
  direction?: 'inbound' | 'outbound' | undefined;
  transaction_set?: string | undefined;
  map_id?: number | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
  offset?: number | undefined;
}

export function vaultQuery(filters: VaultFilters, limit = 50) {
  const query = given({ ...filters, limit });
  return queryOptions({
    queryKey: ['vault', query],
    queryFn: ({ signal }) => data(api.GET('/api/vault', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function storedQuery(id: string) {
  return queryOptions({
    queryKey: ['vault', 'document', id],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/api/vault/{id}', { params: { path: { id } }, signal }))).doc,
    // What is stored never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
