import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { byUrgency } from '../../core/ackWords';
import { given } from '../../core/given';
import { REFRESHED } from '../../ui/useSteadyRows';

export type Ack = Schemas['AckItem'];

/** What a list is narrowed by, as the address has it. */
export interface AckFilters {
  result?: string | undefined;
  ack_type?: string | undefined;
  partner_id?: string | undefined;
  tx_set?: string | undefined;
  error?: string | undefined;
  overdue?: true | undefined;
  open?: true | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** `received`: what partners answered; `sent`: what we answered. */
export type Answered = 'received' | 'sent';

const SIDES = {
  received: { direction: 'inbound', status: 'received' },
  sent: { direction: 'outbound' },
} as const;
/** What was not delivered, or is held, has no day on which its acknowledgement is due: it is not outstanding. */
const OUTSTANDING = { direction: 'inbound', status: 'pending', due: 'true' } as const;

/** The parameters that all rows of a tab have in common; without a kind the service leaves out TA1. */
export function answeredParameters(side: Answered, filters: AckFilters) {
  return { ack_type: 'all', ...SIDES[side], ...given(filters) };
}

export function outstandingParameters(filters: AckFilters) {
  return { ...OUTSTANDING, ...given(filters) };
}

export function answeredQuery(side: Answered, filters: AckFilters, offset = 0) {
  const query = { ...answeredParameters(side, filters), offset: String(offset) };
  return queryOptions({
    queryKey: ['acks', query],
    queryFn: ({ signal }) => data(api.GET('/api/acks', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    ...REFRESHED,
  });
}

export interface OutstandingPage {
  rows: Ack[];
  /** How many fit; more than `rows` if not all were read. */
  total: number;
}

const A_PAGE = 200;
/** With more outstanding than this, the list has to be narrowed first. */
export const MAX_OUTSTANDING = 1000;

/**
 * Outstanding acknowledgements, the most urgent first. The service lists by age and counts no partners, so the
 * rows are read whole, overdue ones before the others.
 */
export function outstandingQuery(filters: AckFilters) {
  const query = outstandingParameters(filters);
  return queryOptions({
    queryKey: ['acks', 'outstanding', query],
    queryFn: async ({ signal }): Promise<OutstandingPage> => {
      const late = await readOutstanding({ ...query, overdue: 'true' }, MAX_OUTSTANDING, signal);
      if (filters.overdue) return { ...late, rows: byUrgency(late.rows) };
      const left = MAX_OUTSTANDING - late.rows.length;
      const rest = await readOutstanding({ ...query, overdue: 'false' }, left, signal);
      return { rows: byUrgency([...late.rows, ...rest.rows]), total: late.total + rest.total };
    },
    placeholderData: keepPreviousData,
    ...REFRESHED,
  });
}

type Parameters = ReturnType<typeof outstandingParameters>;

async function readOutstanding(
  query: Parameters,
  most: number,
  signal: AbortSignal,
): Promise<OutstandingPage> {
  const rows: Ack[] = [];
  for (;;) {
    const page = { ...query, limit: String(A_PAGE), offset: String(rows.length) };
    const answer = await data(api.GET('/api/acks', { params: { query: page }, signal }));
    rows.push(...answer.acks);
    if (!answer.has_more || rows.length >= most) {
      return { rows: rows.slice(0, Math.max(0, most)), total: answer.total };
    }
  }
}
