/** What the pages change about partners on the server. */
import { api, data, type Schemas } from '../../api/client';
import { queryClient } from '../../api/queryClient';
import { type Partner, partnerQuery } from './queries';

/** The new members of a partner; the server validates their shapes. */
export type Members = Readonly<Record<string, unknown>>;

// Settings and connections have members of many kinds, so partners are sent as text.
const UNSAID: Schemas['PartnerBody'] = {
  ...{ name: '', partner_status: null, isa_qualifier: null, isa_id: null, gs_id: null },
  ...{ own_identity_id: null, tx_sets: null, version: null, ack_type: null, ack_hours: null },
  ...{ industry: null, contact_email: null, connections: null, settings: null, routes: null },
  ...{ id: null, revision: null, allowed_statuses: null },
  ...{ inbound_url_test: null, inbound_url: null, edi_identity: null },
  ...{ connection_type: null, connection_status: null, last_activity_at: null },
  ...{ circuit_breaker: null },
  ...{ created_at: null, updated_at: null },
};

function remembered(partner: Partner): Partner {
  queryClient.setQueryData(partnerQuery(String(partner.id)).queryKey, partner);
  void queryClient.invalidateQueries({ queryKey: ['partners'] });
  return partner;
}

/** Adds a partner that is given as JSON text. */
export async function addPartnerText(text: string): Promise<Partner> {
  const call = api.POST('/api/partners', { body: UNSAID, bodySerializer: () => text });
  return remembered((await data(call)).partner);
}

/** Saves a partner as `base` was read, but for `changed`; refused if it was changed since. */
export async function savePartner(base: Partner, changed: Members): Promise<Partner> {
  const params = {
    path: { id: String(base.id) },
    header: { 'If-Match': `"${base.revision}"` },
  };
  const text = JSON.stringify({ ...base, ...changed });
  const call = api.PUT('/api/partners/{id}', {
    ...{ params, body: UNSAID, bodySerializer: () => text },
  });
  const saved = remembered((await data(call)).partner);
  void queryClient.invalidateQueries({ queryKey: ['partner', String(base.id)] });
  return saved;
}

/** The partner as it is now. */
export async function freshPartner(id: number): Promise<Partner> {
  return queryClient.fetchQuery({ ...partnerQuery(String(id)), staleTime: 0 });
}

export async function deletePartner({ id, revision }: Partner): Promise<void> {
  const params = { path: { id: String(id) }, header: { 'If-Match': `"${revision}"` } };
  await data(api.DELETE('/api/partners/{id}', { params }));
}

/** Nothing of a deleted partner is asked for again; for when its page is left. */
export async function forgetPartner({ id }: Partner): Promise<void> {
  queryClient.removeQueries({ queryKey: ['partner', String(id)] });
  await queryClient.invalidateQueries({ queryKey: ['partners'] });
}

/** Gives the inbound address of an environment a new token. */
export async function rotateAddress(
  id: number,
  body: Schemas['RotateTokenBody'],
): Promise<Partner> {
  const params = { path: { id: String(id) } };
  const call = api.POST('/api/partners/{id}/rotate-token', { params, body });
  return remembered((await data(call)).partner);
}

/** Sends a test document; answers the id of its record. */
export async function sendTest(
  partner: Partner,
  tx_set: string,
  content: string,
): Promise<number | null> {
  const unsaid = {
    ...{ document: null, map_id: null, map_version: null, on_invalid: null, restamp: null },
    ...{ business_key: null, metadata: null, dry_run: null, parent_id: null },
    ...{ reason: null, supersedes: null },
  };
  const body = {
    ...unsaid,
    partner_id: partner.id,
    tx_set,
    direction: 'outbound',
    content,
  } as const;
  const answer = await data(api.POST('/api/transactions/submit', { body }));
  return answer.transaction_id;
}

interface LastChange {
  /** E-mail of the user; null if it was somebody else, such as the command line. */
  who: string | null;
  at: string;
}

/** Who changed a partner last; only owners may know. */
export async function lastChange(id: number): Promise<LastChange | null> {
  const params = { query: { action: 'partner', limit: '50' } };
  const [log, people] = await Promise.all([
    data(api.GET('/api/audit', { params })),
    data(api.GET('/api/users')),
  ]);
  const entry = log.entries.find(({ object }) => object === `partner ${id}`);
  if (entry === undefined) return null;
  const user = people.users.find((each) => entry.actor === `user ${each.id}`);
  return { who: user?.email ?? null, at: entry.at };
}
