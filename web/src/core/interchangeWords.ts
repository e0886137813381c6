/** Interchanges in words: how they stand, why one was set aside, and what can be done about it. */
import { INTERCHANGE_ERRORS } from './ackWords';
import type { StatusWords } from './statusWords';

/** In the order in which a choice offers them: what waits for somebody first. */
export const INTERCHANGE_STATUSES = {
  quarantined: {
    word: 'Quarantined',
    tone: 'err',
    about: 'It was received and waits for a decision.',
  },
  failed: { word: 'Failed', tone: 'err', about: 'It could not be processed or sent.' },
  duplicate: {
    word: 'Duplicate',
    tone: 'warn',
    about: 'It was received before and is not processed again.',
  },
  received: { word: 'Received', tone: 'plain', about: 'It waits to be processed.' },
  processed: { word: 'Processed', tone: 'ok', about: 'It was received and processed.' },
  discarded: { word: 'Discarded', tone: 'plain', about: 'A user discarded it.' },
  queued: { word: 'Queued', tone: 'plain', about: 'It waits to be sent.' },
  sent: { word: 'Sent', tone: 'ok', about: 'It was sent to the partner.' },
  cancelled: { word: 'Cancelled', tone: 'plain', about: 'A user cancelled it.' },
} as const satisfies Readonly<Record<string, StatusWords>>;

export type InterchangeStatus = keyof typeof INTERCHANGE_STATUSES;

/** Why one was set aside, and what helps. `releaseHelps`: it can be processed as it is. */
export interface ReasonWords {
  what: string;
  todo: string;
  releaseHelps: boolean;
}

const ASK_AGAIN =
  'Ask the sender to send it again as X12, and discard this one. Releasing it would have the same result.';

const unreadable = (what: string): ReasonWords => ({ what, todo: ASK_AGAIN, releaseHelps: false });

const NOT_X12 = 'document_not_x12';

const REASONS: Readonly<Record<string, ReasonWords>> = {
  unknown_sender: {
    what: 'The sender in the ISA is not one of your partners.',
    todo: 'If you know the sender, release it for that partner; create the partner first if it is new. Otherwise discard it.',
    releaseHelps: true,
  },
  identity_mismatch: {
    what: 'The sender in the ISA is not the partner that owns the inbound address.',
    todo: 'Ask the partner. Release it for the right partner, or discard it. Update the identity in the partner’s settings if it has changed.',
    releaseHelps: true,
  },
  unknown_receiver: {
    what: 'The receiver in the ISA is not one of your identities.',
    todo: 'If it is meant for you, add the identity to your account and release it. Otherwise discard it and tell the partner.',
    releaseHelps: true,
  },
  partner_inactive: {
    what: 'The partner’s status does not allow such documents.',
    todo: 'Make the partner active or testing, then release it. Or discard it.',
    releaseHelps: true,
  },
  not_x12: unreadable('It is not X12: it does not begin with an ISA segment.'),
  [NOT_X12]: unreadable('It is in another format than X12.'),
  no_envelope: unreadable('It has no ISA segment, so its sender is unknown.'),
  isa_too_short: unreadable(
    'Its ISA segment is shorter than 106 characters, so its separators are unknown.',
  ),
  delimiter_invalid: unreadable('Its separators cannot be used.'),
  document_empty: unreadable('It is empty.'),
  segment_too_long: unreadable('One of its segments exceeds the maximum length.'),
  limit_exceeded: unreadable('It exceeds the limits for one document.'),
  set_not_checked: {
    what: 'It contains a transaction set that was not checked: the dictionary does not define the set or its guide.',
    todo: 'Look at the text. Release it to accept the set unchecked, or discard it. The partner setting unknown_sets decides how such sets are handled.',
    releaseHelps: true,
  },
  document_invalid: {
    what: 'It has errors, so it was not sent.',
    todo: 'Correct and resend its transactions.',
    releaseHelps: false,
  },
  internal_error: {
    what: 'All attempts to process it failed.',
    todo: 'The server log says why. Replay it when the cause is fixed.',
    releaseHelps: false,
  },
};

/** Why an interchange was set aside. `said`: what its record says, for codes that are many. */
export function reasonInWords(code: string | null, said = ''): ReasonWords | null {
  if (code === null) return null;
  if (code === NOT_X12 && said !== '') return unreadable(said);
  const known = REASONS[code];
  if (known !== undefined) return known;
  const refused = INTERCHANGE_ERRORS[code];
  return {
    what:
      said ||
      (refused === undefined ? `It was quarantined: ${code}.` : `${refused} (TA1 ${code}).`),
    todo: 'Look at the text. Release it to process it anyway, correct and resend its transactions, or discard it and ask the partner for a new one.',
    releaseHelps: true,
  };
}

export type Decision = 'release' | 'discard' | 'replay';

const DECISIONS: Readonly<Partial<Record<InterchangeStatus, readonly Decision[]>>> = {
  quarantined: ['release', 'discard'],
  processed: ['replay'],
  duplicate: ['replay'],
  failed: ['replay'],
};

/** What a person may decide about an interchange; of one that was sent, nothing. */
export function decisionsFor(status: InterchangeStatus, direction: string): readonly Decision[] {
  return direction === 'inbound' ? (DECISIONS[status] ?? []) : [];
}
