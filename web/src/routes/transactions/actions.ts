import { api, data, type Schemas } from '../../api/client';
import { isApiError } from '../../api/error';
import type { Outcome } from '../../ui/Outcomes';
import type { Transaction } from './queries';

export type Redriven = Schemas['RedriveAnswer'];
export type TransactionAction = 'retry' | 'reissue' | 'cancel';

/** Does something with a transaction; answers the record that there is then. */
export async function act(
  action: TransactionAction,
  id: number,
  reason: string,
): Promise<Transaction> {
  const call = { params: { path: { id: String(id) } }, body: { reason: reason || null } };
  const calls = {
    retry: () => api.POST('/api/transactions/{id}/retry', call),
    reissue: () => api.POST('/api/transactions/{id}/reissue', call),
    cancel: () => api.POST('/api/transactions/{id}/cancel', call),
  };
  return (await data(calls[action]())).transaction;
}

/** Which deliveries are retried: some, or those that match filters of the list. */
export type Redriving = { ids: number[] } | { filters: Record<string, string> };

/** Retries deliveries. Where nothing narrows the list, all that failed or wait are meant. */
export function redrive(which: Redriving): Promise<Redriven> {
  const chosen =
    'ids' in which ? { ids: which.ids } : { delivery_status: 'failed,pending', ...which.filters };
  // Members that are absent ask for any.
  const body = chosen as Schemas['RedriveRequest'];
  return data(api.POST('/api/transactions/redrive', { body }));
}

/** Cancels one of several. Sets of an interchange go together, so each one is asked for once. */
export async function cancelOne(id: number, reason: string): Promise<Outcome> {
  try {
    await act('cancel', id, reason);
    return { id, became: 'cancelled', isRefused: false };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { id, became: error.message, isRefused: true };
  }
}
