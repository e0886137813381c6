/** The audit log in words: what was done, by whom, to what. */
import { reasonInWords } from './interchangeWords';

/** What was done, by its code. Codes of later versions stay as they are. */
export const AUDIT_ACTIONS: Readonly<Record<string, string>> = {
  'account.equip': 'Simulator added',
  'account.resume': 'Account no longer suspended',
  'account.reset': 'Account cleared for a demo',
  'account.set_identities': 'Own identities changed',
  'account.set_plan': 'Plan changed',
  'account.set_retention': 'Document retention changed',
  'account.suspend': 'Account suspended',
  'ack.export': 'Acknowledgements exported',
  'ack.overdue': 'Acknowledgement became overdue',
  'audit.export': 'Audit log exported',
  'definition.delete': 'Imported definition deleted',
  'definition.import': 'Definition imported',
  'document.read': 'Stored document read',
  'interchange.deliver': 'Interchange delivered',
  'interchange.discard': 'Interchange discarded',
  'interchange.export': 'Interchanges exported',
  'interchange.give_up': 'Interchange failed after all attempts',
  'interchange.processed': 'Interchange processed again',
  'interchange.quarantined': 'Interchange quarantined',
  'interchange.read': 'Interchange read',
  'interchange.release': 'Interchange released',
  'interchange.replay': 'Interchange replayed',
  'key.create': 'API key created',
  'key.revoke': 'API key revoked',
  'key.rotate': 'API key rotated',
  'mailbox.fail': 'Mailbox could not be read',
  'mailbox.log_in': 'Partner logged in to its mailbox',
  'mailbox.refuse': 'File in a mailbox refused',
  'mailbox.refuse_login': 'Login to a mailbox refused',
  'map.create': 'Map created',
  'map.delete': 'Map deleted',
  'map.lock': 'Map locked',
  'map.replay': 'Rules replayed on stored documents',
  'map.restore': 'Map version restored',
  'map.save': 'Map saved',
  'map.unlock': 'Map unlocked',
  'partner.change': 'Partner changed',
  'partner.create': 'Partner created',
  'partner.delete': 'Partner deleted',
  'partner.rotate_token': 'Inbound address rotated',
  'partner.step': 'Partner’s status changed',
  'receipt.processed': 'Received document processed',
  'response.overdue': 'Response became overdue',
  'separation.env_contradiction': 'Environment isolation: address and document differ',
  'separation.partner_inactive': 'Environment isolation: partner does not accept live documents',
  'separation.partner_not_shown': 'Environment isolation: partner hidden from the sandbox',
  'separation.stored_as_test': 'Environment isolation: stored as test',
  'separation.usage_mismatch': 'Environment isolation: usage indicator differs',
  'separation.usage_restamped': 'Environment isolation: usage indicator rewritten',
  'session.begin': 'Logged in',
  'session.end': 'Session ended',
  'session.refuse': 'Login refused: wrong password',
  'session.throttle': 'Logins from this address refused for 15 minutes',
  'transaction.cancel': 'Transaction cancelled',
  'transaction.correct': 'Transaction corrected and resent',
  'transaction.export': 'Transactions exported',
  'transaction.read': 'Transaction’s content read',
  'transaction.reissue': 'Transaction reissued',
  'transaction.retry': 'Transaction sent again',
  'user.create': 'User added',
  'user.issue_link': 'Link for a first password created',
  'user.make_editor': 'User became editor',
  'user.make_owner': 'User became owner',
  'user.make_viewer': 'User became viewer',
  'user.refuse_confirmation': 'Wrong password where it was asked for again',
  'user.remove': 'User deleted',
  'user.set_email': 'E-mail address changed',
  'user.set_password': 'Password set',
  'webhook.change': 'Webhook endpoint changed',
  'webhook.create': 'Webhook endpoint created',
  'webhook.delete': 'Webhook endpoint deleted',
  'webhook.disable': 'Webhook endpoint disabled',
  'webhook.enable': 'Webhook endpoint enabled',
  'webhook.replay': 'Webhook events replayed',
  'webhook.rotate': 'Secret of a webhook endpoint replaced',
  'webhook.test': 'Webhook test event sent',
};

/** The first words of actions; the service lists all that begin with one. */
const GROUPS: Readonly<Record<string, string>> = {
  account: 'Account: all',
  ack: 'Acknowledgements: all',
  audit: 'Audit log: all',
  definition: 'Definitions: all',
  document: 'Stored documents: all',
  interchange: 'Interchanges: all',
  key: 'API keys: all',
  mailbox: 'Mailboxes: all',
  map: 'Maps: all',
  partner: 'Partners: all',
  receipt: 'Received documents: all',
  response: 'Responses to requests: all',
  separation: 'Environment isolation: all',
  session: 'Sessions: all',
  transaction: 'Transactions: all',
  user: 'Users: all',
  webhook: 'Webhooks: all',
};

export function actionInWords(action: string): string {
  return AUDIT_ACTIONS[action] ?? action;
}

/** What a list can be narrowed to: each group, and after it its actions. */
export function actionChoices(): { value: string; label: string }[] {
  return Object.entries(GROUPS).flatMap(([group, label]) => [
    { value: group, label },
    ...Object.entries(AUDIT_ACTIONS)
      .filter(([action]) => action.startsWith(`${group}.`))
      .map(([value, words]) => ({ value, label: words })),
  ]);
}

/** What an entry says; where that is the code of a reason, its words. */
export function detailInWords(action: string, detail: string): string {
  const reason = action === 'interchange.quarantined' && detail !== '' ? detail : null;
  return reasonInWords(reason)?.what ?? detail;
}

export interface AuditPlace {
  kind: string;
  id: string;
}

/** `document 17` is the document with the id 17; null: it names no single object. */
export function placeOf(object: string): AuditPlace | null {
  const found = /^([a-z_]+) ([1-9][0-9]*)$/.exec(object);
  const [, kind = '', id = ''] = found ?? [];
  return found === null ? null : { kind, id };
}

/** Who did something. `names`: of users and keys, by `user 5` and `key 3`. */
export function actorInWords(actor: string, names: ReadonlyMap<string, string>): string {
  if (actor === 'worker') return 'Longshore';
  if (actor === 'operator') return 'The operator';
  if (actor === 'visitor') return 'Somebody who is not logged in';
  return names.get(actor) ?? actor;
}
