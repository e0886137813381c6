/** The events that an endpoint can be called about, as the form offers them. */
import type { Schemas } from '../../api/client';

export type EventType = Schemas['EventType'];
type Group = 'Transactions' | 'Acknowledgements' | 'Partners' | 'Account';

const GROUP_OF: Readonly<Record<EventType, Group>> = {
  'transaction.received': 'Transactions',
  'transaction.validated': 'Transactions',
  'transaction.invalid': 'Transactions',
  'transaction.queued': 'Transactions',
  'transaction.delivered': 'Transactions',
  'transaction.failed': 'Transactions',
  'transaction.acknowledged': 'Transactions',
  'transaction.rejected': 'Transactions',
  'transaction.duplicate': 'Transactions',
  'transaction.quarantined': 'Transactions',
  'transaction.held': 'Transactions',
  'transaction.cancelled': 'Transactions',
  'transaction.released': 'Transactions',
  'ack.received': 'Acknowledgements',
  'ack.sent': 'Acknowledgements',
  'ack.failed': 'Acknowledgements',
  'ack.overdue': 'Acknowledgements',
  'ack.unmatched': 'Acknowledgements',
  'ack.conflict': 'Acknowledgements',
  'response.matched': 'Transactions',
  'response.unmatched': 'Transactions',
  'response.overdue': 'Transactions',
  'partner.status_changed': 'Partners',
  'partner.circuit_opened': 'Partners',
  'partner.circuit_closed': 'Partners',
  'certificate.expiring': 'Account',
  'document.stored': 'Account',
  'map.saved': 'Account',
  'control_number.low': 'Account',
  'account.storage_near_quota': 'Account',
  'webhook.disabled': 'Account',
  'webhook.test': 'Account',
};

/** What a choice alone does not say. */
export const EVENT_NOTES: Partial<Record<EventType, string>> = {
  'map.saved': 'Planned: no such event is recorded yet.',
  'webhook.test': '“Send test event” calls the endpoint whatever is chosen here.',
};

const GROUPS = ['Transactions', 'Acknowledgements', 'Partners', 'Account'] as const;
const TYPES = Object.keys(GROUP_OF).filter((name): name is EventType => name in GROUP_OF);

export const EVENT_GROUPS = GROUPS.map((name) => ({
  name,
  types: TYPES.filter((type) => GROUP_OF[type] === name),
}));
