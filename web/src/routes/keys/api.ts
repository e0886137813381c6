/** Calls about keys. What makes a key is called plainly: its answer holds a secret, and no cache sees it. */
import { queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { queryClient } from '../../api/queryClient';
import type { KeyStatus } from '../../core/keys';

export type Key = Schemas['KeyItem'];

/** The keys of the account, or those of one status. */
export function keysQuery(status: KeyStatus | undefined) {
  return queryOptions({
    queryKey: ['keys', status ?? 'all'],
    queryFn: async () =>
      (await data(api.GET('/api/keys', { params: { query: status ? { status } : {} } }))).keys,
  });
}

/** Makes every list of keys be asked for again. */
export async function keysChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['keys'] });
}

export async function createKey(body: Schemas['KeyRequest']): Promise<string> {
  return (await data(api.POST('/api/keys', { body }))).key;
}

export async function rotateKey(id: number, body: Schemas['RotationRequest']): Promise<string> {
  const params = { path: { id: String(id) } };
  return (await data(api.POST('/api/keys/{id}/rotate', { params, body }))).key;
}

export async function revokeKey(id: number, password: string | null): Promise<void> {
  await api.DELETE('/api/keys/{id}', { params: { path: { id: String(id) } }, body: { password } });
}
