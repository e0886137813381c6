/** Calls about users. What sets a password or answers with a link is called plainly: no cache sees it. */
import { queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { queryClient } from '../../api/queryClient';

export type User = Schemas['UserItem'];
export type UserFacts = Schemas['UserRequest'];
export type CreatedUser = Schemas['CreatedUserAnswer'];

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await data(api.GET('/api/users', { signal }))).users,
});

export async function usersChanged(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['users'] });
}

export function createUser(body: UserFacts): Promise<CreatedUser> {
  return data(api.POST('/api/users', { body }));
}

export async function changeUser(id: number, body: UserFacts): Promise<void> {
  await api.PUT('/api/users/{id}', { params: { path: { id: String(id) } }, body });
}

export async function removeUser(id: number): Promise<void> {
  await api.DELETE('/api/users/{id}', { params: { path: { id: String(id) } } });
}
