/** What happened to a transaction, in words. */

import { ACK_STATUSES, type StatusTone } from './statusWords';

/** One thing that happened, as the server tells it. */
export interface Happened {
  at: string;
  kind: string;
  status: string;
  attempt: number | null;
}

/** A step of the line over a transaction. */
export interface Step {
  at: string;
  words: string;
  tone: StatusTone;
}

const KINDS: Readonly<Record<string, string>> = {
  created: 'Created',
  validated: 'Validated',
  queued: 'Queued',
  delivered: 'Delivered',
  replay: 'Released',
  cancelled: 'Cancelled',
};
/** Of some kinds the status says what happened. */
const KIND_AND_STATUS: Readonly<Record<string, { word: string; tone: StatusTone }>> = {
  'created received': { word: 'Received', tone: 'plain' },
  'validated invalid': { word: 'Validated: invalid', tone: 'err' },
  'validated duplicate': { word: 'Identified as a duplicate', tone: 'warn' },
  'validated quarantined': { word: 'Quarantined', tone: 'err' },
  'converted stored': { word: 'Converted with warnings', tone: 'warn' },
  'queued held': { word: 'Held', tone: 'warn' },
  'ack received': { word: 'Acknowledgement received', tone: 'plain' },
  'ack sent': { word: 'Our acknowledgement sent', tone: 'ok' },
  'ack failed': { word: 'Our acknowledgement not delivered', tone: 'err' },
  'ack unmatched': { word: 'Acknowledgement without a matching document', tone: 'warn' },
  'ack conflict': { word: 'Acknowledgement contradicts an earlier one', tone: 'warn' },
  'response matched': { word: 'Response received', tone: 'ok' },
  'response unmatched': { word: 'Response without a matching request', tone: 'warn' },
  'response overdue': { word: 'No response in time', tone: 'warn' },
};
const OUTCOMES: Readonly<Record<string, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  permanent: 'failed permanently',
  lost: 'outcome unknown',
};
const ACKS: Readonly<Record<string, { word: string; tone: StatusTone }>> = ACK_STATUSES;

/** The end of the attempts is an event of its own, after the last attempt. */
function isEnd({ kind, attempt }: Happened): boolean {
  return kind === 'attempt' && attempt === null;
}

function known(happened: Happened): { word: string; tone: StatusTone } | undefined {
  const { kind, status } = happened;
  if (isEnd(happened)) return { word: 'Failed after all attempts', tone: 'err' };
  return KIND_AND_STATUS[`${kind} ${status}`];
}

/** What happened, in a few words: `Attempt 2 failed`, `Acknowledgement: rejected`. */
export function happenedWords(happened: Happened): string {
  const { kind, status, attempt } = happened;
  const said = known(happened);
  if (said !== undefined) return said.word;
  if (kind === 'attempt') return `Attempt ${attempt} ${OUTCOMES[status] ?? 'runs'}`;
  if (kind === 'ack') {
    const words = ACKS[status]?.word ?? status.replaceAll('_', ' ');
    return words === '' ? 'Acknowledgement' : `Acknowledgement: ${words.toLowerCase()}`;
  }
  return KINDS[kind] ?? kind;
}

/** How good it is that it happened. */
export function happenedTone(happened: Happened): StatusTone {
  const { kind, status } = happened;
  const said = known(happened);
  if (said !== undefined) return said.tone;
  if (kind === 'ack') return ACKS[status]?.tone ?? 'plain';
  if (status === 'failed' || status === 'permanent') return 'err';
  if (status === 'lost') return 'warn';
  return kind === 'delivered' ? 'ok' : 'plain';
}

/**
 * The steps of a timeline, oldest first. Attempts in a row that ended alike are one step with the last
 * one named, `Attempt 5 failed (5 in a row)`.
 */
export function stepsOf(timeline: readonly Happened[]): Step[] {
  const wasTried = timeline.some((each) => each.kind === 'attempt' && !isEnd(each));
  const steps: (Step & { same: string; times: number })[] = [];
  for (const each of timeline.filter((one) => !wasTried || !isEnd(one))) {
    const same = each.kind === 'attempt' ? `attempt ${each.status}` : '';
    const last = steps.at(-1);
    const step = { at: each.at, words: happenedWords(each), tone: happenedTone(each), same };
    if (last !== undefined && same !== '' && last.same === same) {
      steps[steps.length - 1] = { ...step, times: last.times + 1 };
    } else {
      steps.push({ ...step, times: 1 });
    }
  }
  return steps.map(({ at, words, tone, times }) => ({
    ...{ at, tone },
    words: times > 1 ? `${words} (${times} in a row)` : words,
  }));
}

const ACTORS: Readonly<Record<string, string>> = {
  worker: 'Longshore',
  operator: 'The operator',
};
const KINDS_OF_ACTORS: Readonly<Record<string, string>> = {
  token: 'The partner',
  key: 'API key',
  user: 'User',
};

/**
 * Who did something. `names`: of users and keys, by `user 5` and `key 3`. Of an attempt nobody is
 * named.
 */
export function actorWords(actor: string, names: ReadonlyMap<string, string>): string {
  const [kind = '', number = ''] = actor.split(' ');
  const known = names.get(actor) ?? ACTORS[actor];
  if (known !== undefined) return known;
  const word = KINDS_OF_ACTORS[kind];
  if (word === undefined) return actor;
  return kind === 'token' ? word : `${word} ${number}`;
}
