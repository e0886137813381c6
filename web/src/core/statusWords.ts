/** The statuses of transactions in words: which badge, which word, what it means. */

import { counted } from './treeWords';

/** `open`: nobody knows whether it is right, since it was not checked. */
export type StatusTone = 'ok' | 'warn' | 'err' | 'plain' | 'open';

/** How a status is shown. `about`: one sentence that says what it means. */
export interface StatusWords {
  word: string;
  tone: StatusTone;
  about: string;
}

const words = (word: string, tone: StatusTone, about: string): StatusWords => ({
  word,
  tone,
  about,
});

/** The one word of a record, in the order in which a choice offers them: trouble first. */
export const TRANSACTION_STATUSES = {
  failed: words('Failed', 'err', 'It could not be delivered or processed.'),
  rejected: words('Rejected', 'err', 'The partner rejected it.'),
  invalid: words('Invalid', 'err', 'It has errors, so it was not processed further.'),
  quarantined: words('Quarantined', 'err', 'It was received and waits for a decision.'),
  held: words('Held', 'warn', 'It waits until the partner can receive documents.'),
  duplicate: words('Duplicate', 'warn', 'It was received before and is not processed again.'),
  queued: words('Queued', 'plain', 'It waits to be sent.'),
  sending: words('Sending', 'plain', 'It is being sent.'),
  sent: words('Sent', 'plain', 'It was sent; the receipt is outstanding.'),
  delivered: words('Delivered', 'ok', 'The partner has received it.'),
  acknowledged: words('Acknowledged', 'ok', 'The partner acknowledged it.'),
  received: words('Received', 'plain', 'It waits to be processed.'),
  processing: words('Processing', 'plain', 'It is being processed.'),
  processed: words('Processed', 'ok', 'It was received and processed.'),
  cancelled: words('Cancelled', 'plain', 'A user cancelled it; it is not sent.'),
} as const;

export type TransactionStatus = keyof typeof TRANSACTION_STATUSES;

/** What was acknowledged: of what we sent by the partner, of what we received by us. */
export const ACK_STATUSES = {
  not_expected: words('Not expected', 'plain', 'No acknowledgement is expected.'),
  pending: words('Waiting', 'plain', 'The acknowledgement is outstanding.'),
  overdue: words('Overdue', 'warn', 'The acknowledgement did not arrive in time.'),
  accepted: words('Accepted', 'ok', 'It was acknowledged as accepted.'),
  accepted_with_errors: words('Accepted with errors', 'warn', 'It was accepted; errors are named.'),
  partially_accepted: words('Partly accepted', 'warn', 'Part of it was rejected.'),
  rejected: words('Rejected', 'err', 'It was acknowledged as rejected.'),
} as const;

export type AckStatus = keyof typeof ACK_STATUSES;

export const DELIVERY_STATUSES = {
  not_applicable: words('Not to be sent', 'plain', 'It is not sent.'),
  pending: words('Queued', 'plain', 'It waits to be sent.'),
  held: words('Held', 'warn', 'It waits until the partner can receive documents.'),
  sending: words('Sending', 'plain', 'An attempt is running.'),
  sent: words('Sent', 'plain', 'It was sent; the receipt is outstanding.'),
  delivered: words('Delivered', 'ok', 'The partner has received it.'),
  failed: words('Failed', 'err', 'All attempts have failed.'),
  cancelled: words('Cancelled', 'plain', 'It is no longer sent.'),
} as const;

/** Of a call of a webhook endpoint. */
export const CALL_STATUSES = {
  queued: words('Queued', 'plain', 'It waits for its next attempt.'),
  sending: words('Sending', 'plain', 'An attempt is running.'),
  delivered: words('Delivered', 'ok', 'The endpoint answered with a status from 200 to 299.'),
  failed: words('Failed', 'err', 'It is not attempted again.'),
  cancelled: words('Cancelled', 'plain', 'The endpoint was disabled before it was sent.'),
} as const;

export const PROCESSING_STATUSES = {
  not_applicable: words('Not received', 'plain', 'We sent it.'),
  received: words('Received', 'plain', 'It waits to be processed.'),
  processing: words('Processing', 'plain', 'It is being processed.'),
  done: words('Done', 'ok', 'It was processed.'),
  duplicate: words('Duplicate', 'warn', 'It was received before.'),
  quarantined: words('Quarantined', 'err', 'It waits for a decision.'),
  failed: words('Failed', 'err', 'It could not be processed.'),
} as const;

export const VALIDATION_STATUSES = {
  not_checked: words(
    'Not checked',
    'open',
    'No errors were found, but not everything could be checked.',
  ),
  valid: words('Valid', 'ok', 'Validation found no errors.'),
  valid_with_warnings: words('Valid with warnings', 'ok', 'Validation found warnings only.'),
  invalid: words('Invalid', 'err', 'Validation found errors.'),
} as const;

export type DeliveryStatus = keyof typeof DELIVERY_STATUSES;

/** What is said of an awaited acknowledgement while the document itself has not arrived. */
const BEFORE_ARRIVAL: Partial<Record<DeliveryStatus, StatusWords>> = {
  pending: words('After delivery', 'plain', 'It is expected once the document is delivered.'),
  held: words('After delivery', 'plain', 'It is expected once the document is delivered.'),
  sending: words('After delivery', 'plain', 'It is expected once the document is delivered.'),
  failed: words(
    'Not delivered',
    'plain',
    'No acknowledgement is expected for an undelivered document.',
  ),
  cancelled: words(
    'Not sent',
    'plain',
    'No acknowledgement is expected for a document that was not sent.',
  ),
};

/** What of a record its badge depends on. */
export interface Stated {
  status: TransactionStatus;
  ack_status: AckStatus;
  /** To deliver it. */
  attempts?: number;
}

/** What of a record the words for its delivery depend on. */
export interface Delivered {
  delivery_status: DeliveryStatus;
  attempts: number;
}

const RETRIED = words('Retry due', 'warn', 'An attempt failed; the next one is automatic.');

/** How the status of a record is shown: an acknowledgement may say more than that there is one. */
export function statusWords({ status, ack_status, attempts = 0 }: Stated): StatusWords {
  if (status === 'acknowledged' && ack_status !== 'accepted') return ACK_STATUSES[ack_status];
  if (status === 'queued' && attempts > 0) return RETRIED;
  return TRANSACTION_STATUSES[status];
}

/** How a record was acknowledged; of what has not arrived nothing is awaited. */
export function ackWords({
  ack_status,
  delivery_status,
}: Pick<Stated, 'ack_status'> & Pick<Delivered, 'delivery_status'>): StatusWords {
  const isAwaited = ack_status === 'pending' || ack_status === 'overdue';
  return (isAwaited && BEFORE_ARRIVAL[delivery_status]) || ACK_STATUSES[ack_status];
}

/** The state of a delivery in a sentence; the time of the next attempt is shown next to it. */
export function deliveryWords({ delivery_status, attempts }: Delivered): string {
  if (attempts > 0 && delivery_status === 'pending') {
    return `${counted(attempts, 'attempt')} failed; the next one is automatic.`;
  }
  if (attempts > 0 && delivery_status === 'failed') {
    return `${counted(attempts, 'attempt')} failed; there are no more automatic attempts.`;
  }
  return DELIVERY_STATUSES[delivery_status].about;
}

/** What of a partner may keep documents from it. */
export interface Recipient {
  connection_type: string;
  connection_status: string;
  partner_status: string;
}

const KEPT_BY_STATUS: Readonly<Record<string, string>> = {
  pending: 'is being set up',
  testing: 'is in testing and takes no live documents',
  inactive: 'is inactive',
};

/** Why a partner takes nothing now, behind its name: `has no connection`. */
export function heldWords({
  connection_type,
  connection_status,
  partner_status,
}: Recipient): string {
  if (connection_type === 'none') return 'has no connection';
  if (connection_status === 'disabled') return 'has a disabled connection';
  return KEPT_BY_STATUS[partner_status] ?? 'has no usable connection';
}

/** The words of a table that a text by comma names; what the table lacks is left out. */
export function wordsIn<Word extends string>(
  text: string | undefined,
  table: Readonly<Record<Word, unknown>>,
): Word[] {
  const named = new Set((text ?? '').split(','));
  return keysOf(table).filter((word) => named.has(word));
}

/** The names of a table, in its order. */
export function keysOf<Word extends string>(table: Readonly<Record<Word, unknown>>): Word[] {
  const names: Word[] = [];
  for (const name in table) names.push(name);
  return names;
}
