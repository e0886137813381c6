/** The set-up of a partner as a list of steps, out of how it really stands. */
import { type ConnectionStatus, connectionMeans, type PartnerStatus } from './partners';

/** The part of a transaction record that tells how an exchange stands. */
export interface ExchangeRecord {
  tx_set: string;
  delivery_status: string;
  ack_status: string;
  /** Why the last attempt failed. */
  last_error: { message: string } | null;
}

/** What the steps depend on. */
export interface PartnerState {
  partner_status: PartnerStatus;
  edi_identity: string;
  ack_type: string;
  /** Type of the test connection. */
  testConnection: string;
  /** What is known of it; null where another environment is shown. */
  testStatus: ConnectionStatus | null;
  /** What could not be delivered over it is tried again by itself; null while that is not known. */
  isTriedAgain: boolean | null;
  /** Maps that run on what is received. */
  mapCount: number;
  /** The newest test document that was sent, null before the first. */
  latest: ExchangeRecord | null;
  /** Whether one was ever accepted. */
  wasAccepted: boolean;
}

export type StepKey = 'identity' | 'connection' | 'maps' | 'sent' | 'answered' | 'active';

export interface Step {
  key: StepKey;
  title: string;
  /** `optional`: nothing is missing without it. */
  state: 'done' | 'open' | 'optional';
  text: string;
}

const MOVING: readonly string[] = ['pending', 'sending', 'sent'];
const UNANSWERED: readonly string[] = ['pending', 'overdue'];
const ACKNOWLEDGEMENTS: readonly string[] = ['997', '999'];

/** Whether a record is a document of the trade, not an acknowledgement of ours. */
export function isTrade({ tx_set }: { tx_set: string }): boolean {
  return !ACKNOWLEDGEMENTS.includes(tx_set);
}

/** Whether something may still happen to what was sent without anybody doing anything. */
export function isInProgress({ delivery_status, ack_status }: ExchangeRecord): boolean {
  if (MOVING.includes(delivery_status)) return true;
  return delivery_status === 'delivered' && UNANSWERED.includes(ack_status);
}

interface Words {
  tone: 'ok' | 'err' | 'plain';
  text: string;
}

const ANSWERED: Readonly<Record<string, Words>> = {
  accepted: { tone: 'ok', text: 'The partner acknowledged it. The exchange works.' },
  accepted_with_errors: { tone: 'ok', text: 'The partner acknowledged it. The exchange works.' },
  partially_accepted: {
    tone: 'err',
    text: 'The partner accepted part of it. The transaction has the details.',
  },
  rejected: { tone: 'err', text: 'The partner rejected it. The transaction says where and why.' },
};
const DELIVERED: Readonly<Record<string, Words>> = {
  pending: { tone: 'plain', text: 'It was delivered. The acknowledgement is outstanding.' },
  overdue: { tone: 'err', text: 'It was delivered. The acknowledgement is overdue.' },
  not_expected: { tone: 'ok', text: 'It was delivered. No acknowledgement is agreed.' },
};
const UNDELIVERED: Readonly<Record<string, Words>> = {
  failed: { tone: 'err', text: 'It could not be delivered.' },
  held: { tone: 'err', text: 'It is held.' },
  cancelled: { tone: 'err', text: 'It was cancelled.' },
};
const IN_DELIVERY: Words = { tone: 'plain', text: 'It is being delivered.' };

/** Where an exchange stands, in a sentence or two, and whether that is good. */
export function exchangeWords(record: ExchangeRecord): Words {
  const { delivery_status, ack_status, last_error } = record;
  const isDelivered = delivery_status === 'delivered';
  const arrived = ANSWERED[ack_status] ?? (isDelivered ? DELIVERED[ack_status] : undefined);
  if (arrived !== undefined) return arrived;
  const words = UNDELIVERED[delivery_status] ?? IN_DELIVERY;
  if (last_error === null) return words;
  // What validation refused was not tried at all, and says so itself.
  if (delivery_status === 'not_applicable') return { tone: 'err', text: last_error.message };
  const text = words === IN_DELIVERY ? 'The last attempt failed; it will be retried.' : words.text;
  return { tone: 'err', text: `${text} ${last_error.message}` };
}

/** All steps, in the order in which they make sense. */
export function setupSteps(state: PartnerState): Step[] {
  return [
    identityStep(state),
    connectionStep(state),
    mapsStep(state),
    sentStep(state),
    answeredStep(state),
    activeStep(state),
  ];
}

function step(key: StepKey, title: string, isDone: boolean, text: string): Step {
  return { key, title, state: isDone ? 'done' : 'open', text };
}

function identityStep({ edi_identity }: PartnerState): Step {
  return step(
    'identity',
    'EDI identity',
    edi_identity !== '',
    edi_identity === ''
      ? 'Documents cannot be addressed to the partner without its ISA id. Ask the partner for it.'
      : `Documents are addressed to ${edi_identity}.`,
  );
}

function connectionStep({ testConnection, testStatus, isTriedAgain }: PartnerState): Step {
  const words: Record<string, string> = {
    none: 'There is no test connection. Enter the address the partner gave you, or use the simulator.',
    simulator: 'The simulator stands in for the partner. Enter the real address when you have it.',
  };
  const isDown = testStatus === 'failing' || testStatus === 'disabled';
  return step(
    'connection',
    'Test connection',
    testConnection !== 'none' && !isDown,
    isDown
      ? connectionMeans(testStatus, isTriedAgain)
      : (words[testConnection] ?? 'Test documents can be sent to the partner.'),
  );
}

function mapsStep({ mapCount }: PartnerState): Step {
  if (mapCount > 0) {
    const text = mapCount === 1 ? '1 map runs' : `${mapCount} maps run`;
    return step('maps', 'Maps', true, `${text} on received documents.`);
  }
  return {
    ...{ key: 'maps', title: 'Maps', state: 'optional' },
    text: 'Optional. Without a map, received documents are validated, acknowledged and stored unchanged.',
  };
}

function sentStep({ latest, wasAccepted }: PartnerState): Step {
  const isDone = latest !== null || wasAccepted;
  const text = isDone ? 'A test document was sent.' : 'No test document has been sent yet.';
  return step('sent', 'Test order sent', isDone, text);
}

function answeredStep({ latest, wasAccepted, ack_type }: PartnerState): Step {
  const title = ack_type === 'none' ? 'Test order delivered' : 'Test order acknowledged';
  const isDelivered = ack_type === 'none' && latest?.delivery_status === 'delivered';
  if (wasAccepted) return step('answered', title, true, 'The partner acknowledged it.');
  if (latest === null) return step('answered', title, false, 'Follows from the previous step.');
  return step('answered', title, isDelivered, exchangeWords(latest).text);
}

function activeStep({ partner_status }: PartnerState): Step {
  const isDone = partner_status === 'active' || partner_status === 'error';
  const text = isDone
    ? 'Live documents are exchanged.'
    : 'Live documents are exchanged once the partner is active.';
  return step('active', 'Active', isDone, text);
}

interface Sample {
  name: string;
  title: string;
  format: string;
  tx_set: string;
  document: string;
}

/** The samples that can be sent as a test: of the agreed sets if there are some, orders first. */
export function testSamples<Each extends Sample>(
  samples: readonly Each[],
  agreed: readonly string[],
): Each[] {
  const sets = samples.filter((each) => each.format === 'x12' && isTrade(each));
  const fitting = sets.filter(({ tx_set }) => agreed.includes(tx_set));
  const offered = fitting.length > 0 ? fitting : sets;
  return offered.toSorted((a, b) => Number(b.tx_set === '850') - Number(a.tx_set === '850'));
}

/** A document without its envelope, from ST to SE; null if it holds no set. */
export function bareSets(document: string): string | null {
  const element = document[3] ?? '*';
  const terminator = document[105] ?? '~';
  const segments = document.split(terminator).map((segment) => segment.trim());
  const first = segments.findIndex((segment) => segment.startsWith(`ST${element}`));
  const last = segments.findLastIndex((segment) => segment.startsWith(`SE${element}`));
  if (first < 0 || last < first) return null;
  return segments
    .slice(first, last + 1)
    .map((segment) => `${segment}${terminator}\n`)
    .join('');
}
