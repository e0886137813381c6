import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { allPages } from '../../core/allPages';
import { REFRESHED } from '../../ui/useSteadyRows';
import type { transactionsSearch } from './search';

export type Transaction = Schemas['TransactionRecord'];
export type TransactionFilters = ReturnType<typeof transactionsSearch>;

export const TRANSACTIONS_A_PAGE = 50;

/** The filters of an address as the server takes them: without order and page. */
export function givenFilters(filters: TransactionFilters): Record<string, string> {
  const { sort: _sort, offset: _offset, ...narrowing } = filters;
  return textsOf(narrowing);
}

function textsOf(given: object): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) found[name] = String(value);
  }
  return found;
}

/** A page of the transactions that fit; it is read anew by itself. */
export function transactionsQuery(filters: TransactionFilters) {
  const query = textsOf({ ...filters, limit: TRANSACTIONS_A_PAGE });
  return queryOptions({
    queryKey: ['transactions', 'list', query],
    queryFn: ({ signal }) => data(api.GET('/api/transactions', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    ...REFRESHED,
  });
}

/** The rows that fit, in the order of the list, as a stream of CSV. */
export function exported({ offset: _offset, ...filters }: TransactionFilters): Promise<unknown> {
  const params = { query: textsOf(filters) };
  return data<unknown>(api.GET('/api/transactions/export', { params, parseAs: 'stream' }));
}

/** All partners, by name: to filter the list, and to choose the partner of a corrected record. */
export const partnerNamesQuery = queryOptions({
  queryKey: ['partners', 'names'],
  queryFn: async ({ signal }) => {
    const partners = await allPages(async (offset, limit) => {
      const params = { query: { limit: String(limit), offset: String(offset) } };
      return (await data(api.GET('/api/partners', { params, signal }))).partners;
    });
    return partners.map(({ id, name }) => ({ value: String(id), label: name }));
  },
});

/** Everything that is known of transactions is old; a page that is left does not ask for it any more. */
export function transactionsStale(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['transactions'], refetchType: 'none' });
}

/** Everything that is shown of transactions is asked for anew. */
export function transactionsChanged(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['transactions'] });
}
