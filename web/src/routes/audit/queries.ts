import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { given } from '../../core/given';
import { keysQuery } from '../keys/api';
import { usersQuery } from '../users/queries';

export type AuditEntry = Schemas['AuditItem'];

/** The filters of the audit log, as search parameters of the address. */
export interface AuditFilters {
  action?: string | undefined;
  actor?: string | undefined;
  object?: string | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

export function auditQuery(filters: AuditFilters, before: number | undefined) {
  const query = given({ ...filters, before });
  return queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => data(api.GET('/api/audit', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** What people call the users and keys of the account, by `user 5` and `key 3`. */
export function useActorNames(): ReadonlyMap<string, string> {
  const users = useQuery(usersQuery);
  const keys = useQuery(keysQuery(undefined));
  const ofUsers = (users.data ?? []).map(({ id, email }) => [`user ${id}`, email] as const);
  const ofKeys = (keys.data ?? []).map(
    ({ id, name, last4 }) => [`key ${id}`, `Key ${name === '' ? `…${last4}` : name}`] as const,
  );
  return new Map([...ofUsers, ...ofKeys]);
}
