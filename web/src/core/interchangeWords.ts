/** Interchanges in words: how they stand, why one was set aside, and what can be done about it. */
import { INTERCHANGE_ERRORS } from './ackWords';
import type { StatusWords } from './statusWords';

/** In the order in which a choice offers them: what waits for somebody first. */
export const INTERCHANGE_STATUSES = {
  quarantined: {
    word: 'Quarantined',
    tone: 'err',
    about: 'It was received and set aside; it waits for a decision.',
  },
  failed: { word: 'Failed', tone: 'err', about: 'It could not be processed or sent.' },
  duplicate: {
    word: 'Duplicate',
    tone: 'warn',
    about: 'It was received before and is not processed again.',
  },
  received: { word: 'Received', tone: 'plain', about: 'It waits to be processed.' },
  processed: { word: 'Processed', tone: 'ok', about: 'It was received and processed.' },
  discarded: { word: 'Discarded', tone: 'plain', about: 'Somebody has discarded it.' },
  queued: { word: 'Queued', tone: 'plain', about: 'It waits to be sent.' },
  sent: { word: 'Sent', tone: 'ok', about: 'It was handed over.' },
  cancelled: { word: 'Cancelled', tone: 'plain', about: 'Somebody has called it off.' },
} as const satisfies Readonly<Record<string, StatusWords>>;

export type InterchangeStatus = keyof typeof INTERCHANGE_STATUSES;

/** Why one was set aside, and what helps. `releaseHelps`: it can be processed as it is. */
export interface ReasonWords {
  what: string;
  todo: string;
  releaseHelps: boolean;
}

const ASK_AGAIN =
  'Ask whoever sent it to send it again as X12, and discard this one. Releasing it would end the same way.';

const unreadable = (what: string): ReasonWords => ({ what, todo: ASK_AGAIN, releaseHelps: false });

const NOT_X12 = 'document_not_x12';

const REASONS: Readonly<Record<string, ReasonWords>> = {
  unknown_sender: {
    what: 'The sender in the ISA is none of your partners.',
    todo: 'If you know whose it is, release it for that partner; add the partner first if it is new. Else discard it.',
    releaseHelps: true,
  },
  identity_mismatch: {
    what: 'The sender in the ISA is not the partner whose address it came to.',
    todo: 'Ask the partner. Release it for whose it is, or discard it; correct the identity in the partner’s settings if that has changed.',
    releaseHelps: true,
  },
  unknown_receiver: {
    what: 'The receiver in the ISA is none of your identities.',
    todo: 'If it is meant for you, add the identity to your account and release it. Else discard it, and tell the partner.',
    releaseHelps: true,
  },
  partner_inactive: {
    what: 'The partner takes no such documents at present.',
    todo: 'Make the partner active or testing, then release it. Or discard it.',
    releaseHelps: true,
  },
  not_x12: unreadable('It is not X12: it does not begin with an ISA segment.'),
  [NOT_X12]: unreadable('It is of another format than X12.'),
  no_envelope: unreadable('It has no ISA, so it is not known whose it is.'),
  isa_too_short: unreadable(
    'Its ISA is shorter than 106 characters, so its separators are not known.',
  ),
  delimiter_invalid: unreadable('Its separators cannot be used.'),
  document_empty: unreadable('It is empty.'),
  segment_too_long: unreadable('One of its segments is longer than any can be.'),
  limit_exceeded: unreadable('It holds more than is read at once.'),
  set_not_checked: {
    what: 'It holds a transaction set that was not checked: the dictionary has no definition of it, or not the guide it names.',
    todo: 'Look at the text. Release it to accept the set unchecked, or discard it. The setting unknown_sets of the partner decides what becomes of such sets.',
    releaseHelps: true,
  },
  document_invalid: {
    what: 'It has errors, so it was not sent.',
    todo: 'Correct and resend its transactions.',
    releaseHelps: false,
  },
  internal_error: {
    what: 'It could not be processed, however often it was tried.',
    todo: 'The log of the server says why. Replay it when that is mended.',
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
      said || (refused === undefined ? `It was set aside: ${code}.` : `${refused} (TA1 ${code}).`),
    todo: 'Look at the text. Release it to process it all the same, correct and resend its records, or discard it and ask the partner for another.',
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
