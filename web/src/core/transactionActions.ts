/** What may be done with a transaction, and why not (contract.md section 5, actions). */

import type { AckStatus, TransactionStatus } from './statusWords';

/** What of a record the rules ask for. */
export interface Acted {
  direction: 'inbound' | 'outbound';
  tx_set: string;
  status: TransactionStatus;
  ack_status: AckStatus;
  delivery_status: string;
  processing_status: string;
  validation_status: string;
}

export type Action = 'retry' | 'reissue' | 'cancel' | 'correct';

/** `why`: empty if it may be done. */
export interface Possible {
  why: string;
  needsReason: boolean;
}

const RECEIVED = 'It was received. Only sent documents can be resent or cancelled.';
const ACKNOWLEDGEMENTS = new Set(['997', '999']);
const WRONG_RECEIVED = new Set<TransactionStatus>(['invalid', 'quarantined', 'failed']);
const WRONG_SENT = new Set<TransactionStatus>(['invalid', 'failed', 'rejected']);
const BLAMED = new Set<AckStatus>(['accepted_with_errors', 'partially_accepted', 'rejected']);

const DELIVERY_WORDS: Readonly<Record<string, string>> = {
  not_applicable: 'it was never queued',
  pending: 'it is queued',
  held: 'it is held',
  sending: 'it is being sent',
  sent: 'its receipt is outstanding',
  delivered: 'it was delivered',
  failed: 'its delivery failed',
  cancelled: 'it was cancelled',
};

const RETRIED = new Set(['pending', 'failed', 'delivered']);
const REISSUED = new Set(['failed', 'delivered', 'cancelled']);
const CANCELLED = new Set(['pending', 'held', 'failed']);

/** What may be done with a record in its state. */
export function possibilities(record: Acted): Record<Action, Possible> {
  const state = DELIVERY_WORDS[record.delivery_status] ?? record.delivery_status;
  const only = (states: ReadonlySet<string>, rule: string) => {
    if (record.direction === 'inbound') return RECEIVED;
    return states.has(record.delivery_status) ? '' : `${rule} This one cannot: ${state}.`;
  };
  const isRejected = record.direction === 'outbound' && record.ack_status === 'rejected';
  return {
    retry: {
      why: only(RETRIED, 'Only waiting, delivered and failed documents can be resent.'),
      needsReason: record.delivery_status === 'delivered',
    },
    reissue: {
      why: isRejected
        ? ''
        : only(REISSUED, 'Only delivered, cancelled and failed documents can be reissued.'),
      needsReason: false,
    },
    cancel: {
      why: only(CANCELLED, 'Only queued, held and failed documents can be cancelled.'),
      needsReason: true,
    },
    correct: { why: whyNotCorrected(record), needsReason: false },
  };
}

function whyNotCorrected({ direction, tx_set, status, ack_status }: Acted): string {
  if (ACKNOWLEDGEMENTS.has(tx_set))
    return 'Acknowledgements are generated from the documents they answer.';
  if (direction === 'inbound') {
    return WRONG_RECEIVED.has(status)
      ? ''
      : 'Only invalid, failed and quarantined documents can be corrected.';
  }
  return WRONG_SENT.has(status) || BLAMED.has(ack_status)
    ? ''
    : 'Only invalid, failed and rejected documents can be corrected.';
}
