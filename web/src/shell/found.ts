/** What the command palette finds on the server. */
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, data, type Schemas } from '../api/client';

const FEWEST_SIGNS = 2;
const TYPING_MS = 200;
const MAX_OF_A_KIND = '5';

interface Found {
  transactions: Schemas['TransactionRecord'][];
  /** There are more transactions than those. */
  hasMore: boolean;
  partners: Schemas['PartnerItem'][];
  maps: Schemas['ListedMapItem'][];
}

/** How a search stands. */
export type Search =
  | { kind: 'idle' }
  | { kind: 'searching' }
  | { kind: 'failed'; why: string; retry: () => void }
  | { kind: 'found'; found: Found };

function foundQuery(q: string) {
  const params = { query: { q, limit: MAX_OF_A_KIND } };
  return queryOptions({
    queryKey: ['found', q],
    queryFn: async ({ signal }): Promise<Found> => {
      const [{ transactions, has_more }, { partners }, { maps }] = await Promise.all([
        data(api.GET('/api/transactions', { params, signal })),
        data(api.GET('/api/partners', { params, signal })),
        data(api.GET('/api/maps', { params, signal })),
      ]);
      return { transactions, hasMore: has_more, partners, maps };
    },
  });
}

/** Searches for what is typed, a moment after the last key. Nothing older than that is shown. */
export function useFound(typed: string): Search {
  const wanted = typed.trim();
  const [settled] = useDebouncedValue(wanted, TYPING_MS);
  const isAsked = settled.length >= FEWEST_SIGNS;
  const { data: found, error, refetch } = useQuery({ ...foundQuery(settled), enabled: isAsked });
  if (wanted.length < FEWEST_SIGNS) return { kind: 'idle' };
  if (settled !== wanted) return { kind: 'searching' };
  if (found !== undefined) return { kind: 'found', found };
  if (error === null) return { kind: 'searching' };
  return { kind: 'failed', why: error.message, retry: () => void refetch() };
}
