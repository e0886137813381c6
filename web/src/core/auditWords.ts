/** The audit log in words: what was done, by whom, to what. */
import { reasonInWords } from './interchangeWords';

/** What was done, by its code. Codes of later versions stay as they are. */
export const AUDIT_ACTIONS: Readonly<Record<string, string>> = {
  'account.equip': 'Simulator added',
  'account.resume': 'Account no longer suspended',
  'account.reset': 'Account emptied for a demo',
  'account.set_identities': 'Own identities changed',
  'account.set_retention': 'Days that documents are kept changed',
  'account.suspend': 'Account suspended',
  'ack.export': 'Acknowledgements exported',
  'ack.overdue': 'Acknowledgement became overdue',
  'audit.export': 'Audit log exported',
  'document.read': 'Stored document read',
  'interchange.deliver': 'Interchange delivered',
  'interchange.discard': 'Interchange discarded',
  'interchange.export': 'Interchanges exported',
  'interchange.give_up': 'Interchange given up',
  'interchange.processed': 'Interchange processed again',
  'interchange.quarantined': 'Interchange put in quarantine',
  'interchange.read': 'Interchange read',
  'interchange.release': 'Interchange released',
  'interchange.replay': 'Interchange replayed',
  'key.create': 'API key made',
  'key.revoke': 'API key revoked',
  'key.rotate': 'API key rotated',
  'map.create': 'Map made',
  'map.delete': 'Map removed',
  'map.lock': 'Map locked',
  'map.replay': 'Rules tried on stored documents',
  'map.restore': 'Old version of a map restored',
  'map.save': 'Map saved',
  'map.unlock': 'Map unlocked',
  'partner.change': 'Partner changed',
  'partner.create': 'Partner added',
  'partner.delete': 'Partner removed',
  'partner.rotate_token': 'Inbound address got a new token',
  'partner.step': 'Partner’s status changed',
  'receipt.processed': 'Received document processed',
  'separation.env_contradiction': 'Test and live kept apart: address and document differ',
  'separation.partner_inactive': 'Test and live kept apart: partner takes no live documents',
  'separation.partner_not_shown': 'Test and live kept apart: partner not shown to the sandbox',
  'separation.stored_as_test': 'Test and live kept apart: stored as test',
  'separation.usage_mismatch': 'Test and live kept apart: usage indicator differs',
  'separation.usage_restamped': 'Test and live kept apart: usage indicator rewritten',
  'session.begin': 'Logged in',
  'session.end': 'Session ended',
  'transaction.cancel': 'Transaction cancelled',
  'transaction.correct': 'Transaction corrected and resent',
  'transaction.export': 'Transactions exported',
  'transaction.read': 'Transaction’s content read',
  'transaction.reissue': 'Transaction reissued',
  'transaction.retry': 'Transaction sent again',
  'user.create': 'User added',
  'user.issue_link': 'Link for a first password made',
  'user.make_editor': 'User became editor',
  'user.make_owner': 'User became owner',
  'user.make_viewer': 'User became viewer',
  'user.remove': 'User removed',
  'user.set_email': 'E-mail address changed',
  'user.set_password': 'Password set',
};

/** The first words of actions; the service lists all that begin with one. */
const GROUPS: Readonly<Record<string, string>> = {
  account: 'Account: all',
  ack: 'Acknowledgements: all',
  audit: 'Audit log: all',
  document: 'Stored documents: all',
  interchange: 'Interchanges: all',
  key: 'API keys: all',
  map: 'Maps: all',
  partner: 'Partners: all',
  receipt: 'Received documents: all',
  separation: 'Test and live kept apart: all',
  session: 'Sessions: all',
  transaction: 'Transactions: all',
  user: 'Users: all',
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
  if (actor === 'worker') return 'Longshore itself';
  if (actor === 'operator') return 'The operator';
  return names.get(actor) ?? actor;
}
