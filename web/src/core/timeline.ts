/** What happened to a transaction, in words. */

import { ACK_STATUSES, type StatusTone } from './statusWords';

/** One thing that happened, as the server tells it. */
export interface Happened {
  at: string;
  kind: string;
  status: string;
  attempt: number | null;
}

/** A step of the line over a transaction. `times`: how often it happened in a row. */
export interface Step {
  at: string;
  words: string;
  tone: StatusTone;
  times: number;
}

const KINDS: Readonly<Record<string, string>> = {
  created: 'Created',
  validated: 'Validated',
  queued: 'Queued',
  delivered: 'Delivered',
  replay: 'Processed again',
  cancelled: 'Cancelled',
};
const OUTCOMES: Readonly<Record<string, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  permanent: 'failed for good',
  lost: 'outcome not known',
};
const ACKS: Readonly<Record<string, { word: string; tone: StatusTone }>> = ACK_STATUSES;

/** What happened, in a few words: `Attempt 2 failed`, `Acknowledgement: rejected`. */
export function happenedWords({ kind, status, attempt }: Happened): string {
  if (kind === 'attempt') {
    return `Attempt ${attempt ?? ''} ${OUTCOMES[status] ?? 'runs'}`.replace('  ', ' ');
  }
  if (kind === 'ack') {
    const words = ACKS[status]?.word ?? status.replaceAll('_', ' ');
    return words === '' ? 'Acknowledgement' : `Acknowledgement: ${words.toLowerCase()}`;
  }
  const word = KINDS[kind] ?? kind;
  return status === 'invalid' ? `${word}: invalid` : word;
}

/** How good it is that it happened. */
export function happenedTone({ kind, status }: Happened): StatusTone {
  if (kind === 'ack') return ACKS[status]?.tone ?? 'plain';
  if (status === 'invalid' || status === 'failed' || status === 'permanent') return 'err';
  if (status === 'lost') return 'warn';
  return kind === 'delivered' ? 'ok' : 'plain';
}

/** The steps of a timeline, oldest first; attempts in a row that ended alike are one step. */
export function stepsOf(timeline: readonly Happened[]): Step[] {
  const steps: (Step & { same: string })[] = [];
  for (const each of timeline) {
    const same = each.kind === 'attempt' ? `attempt ${each.status}` : '';
    const last = steps.at(-1);
    const step = { at: each.at, words: happenedWords(each), tone: happenedTone(each) };
    // The event of an attempt has no number and stands beside the attempt itself.
    const once = each.kind === 'attempt' && each.attempt === null ? 0 : 1;
    if (last !== undefined && same !== '' && last.same === same) {
      steps[steps.length - 1] = { ...step, times: last.times + once, same };
    } else {
      steps.push({ ...step, times: once, same });
    }
  }
  return steps.map(({ same: _same, ...step }) => ({ ...step, times: Math.max(1, step.times) }));
}
