/** Calls about webhooks. What makes a secret is called plainly: no cache sees its answer. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { queryClient } from '../../api/queryClient';
import { given } from '../../core/given';

export type Webhook = Schemas['WebhookItem'];
export type WebhookTerms = Schemas['WebhookRequest'];
export type Delivery = Schemas['WebhookDeliveryItem'];
export type Attempt = Schemas['WebhookAttemptItem'];

const REFRESH_MS = 15_000;
/** While a call is on its way. */
const FOLLOW_MS = 1000;

/** The endpoints of the environment shown, the oldest first. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await data(api.GET('/api/webhooks', { signal }))).webhooks,
  refetchInterval: REFRESH_MS,
});

export function webhookQuery(id: string) {
  const params = { path: { id } };
  return queryOptions({
    queryKey: ['webhook', id],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/api/webhooks/{id}', { params, signal }))).webhook,
    refetchInterval: REFRESH_MS,
  });
}

/** Deliveries with their attempts, the newest first; `before`: those older than this one. */
export function deliveriesQuery(id: number, before: number | undefined) {
  const params = { path: { id: String(id) }, query: given({ before }) };
  return queryOptions({
    queryKey: ['webhook', String(id), 'deliveries', before ?? 'newest'],
    queryFn: ({ signal }) => data(api.GET('/api/webhooks/{id}/deliveries', { params, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      (state.data?.deliveries ?? []).some(isFirstAttemptDue) ? FOLLOW_MS : REFRESH_MS,
  });
}

function isFirstAttemptDue({ status, attempts }: Delivery): boolean {
  return status === 'sending' || (status === 'queued' && attempts.length === 0);
}

/** One delivery with what the endpoint answered to failed attempts. */
export function deliveryQuery(id: number, { id: deliveryId, status, attempts }: Delivery) {
  const params = { path: { id: String(id), delivery_id: String(deliveryId) } };
  return queryOptions({
    // Asked for again when the list shows that something happened to it.
    queryKey: ['webhook', String(id), 'delivery', deliveryId, status, attempts.length],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/api/webhooks/{id}/deliveries/{delivery_id}', { params, signal })))
        .delivery,
    placeholderData: keepPreviousData,
  });
}

/** Asks again for everything that is shown of endpoints. */
export async function webhooksChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
    queryClient.invalidateQueries({ queryKey: ['webhook'] }),
  ]);
}

const one = (id: number) => ({ path: { id: String(id) } });

export async function createWebhook(body: WebhookTerms): Promise<Schemas['NewWebhookAnswer']> {
  return data(api.POST('/api/webhooks', { body }));
}

export async function changeWebhook(id: number, body: WebhookTerms): Promise<void> {
  await data(api.PUT('/api/webhooks/{id}', { params: one(id), body }));
}

export async function rotateWebhook(id: number, overlap_hours: number): Promise<string> {
  const call = api.POST('/api/webhooks/{id}/rotate', { params: one(id), body: { overlap_hours } });
  return (await data(call)).secret;
}

export async function testWebhook(id: number): Promise<void> {
  await data(api.POST('/api/webhooks/{id}/test', { params: one(id) }));
}

export async function enableWebhook(id: number): Promise<void> {
  await data(api.POST('/api/webhooks/{id}/enable', { params: one(id) }));
}

export async function disableWebhook(id: number): Promise<void> {
  await data(api.POST('/api/webhooks/{id}/disable', { params: one(id) }));
}

export async function deleteWebhook(id: number): Promise<void> {
  await data(api.DELETE('/api/webhooks/{id}', { params: one(id) }));
}

/** Nothing of a deleted endpoint is asked for again; for when its page is left. */
export async function forgetWebhook(id: number): Promise<void> {
  queryClient.removeQueries({ queryKey: ['webhook', String(id)] });
  await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
}

export async function replayDelivery(id: number, delivery: number): Promise<void> {
  const params = { path: { id: String(id), delivery_id: String(delivery) } };
  await data(api.POST('/api/webhooks/{id}/deliveries/{delivery_id}/replay', { params }));
}

/** Queues the events of one part of a period; answers how many, and where the next part begins. */
export async function replayPeriod(
  id: number,
  body: Schemas['PeriodReplayRequest'],
): Promise<Schemas['PeriodReplayAnswer']> {
  return data(api.POST('/api/webhooks/{id}/replay', { params: one(id), body }));
}
