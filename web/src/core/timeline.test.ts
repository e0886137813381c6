import { expect, test } from 'vitest';
import { stepsOf } from './timeline';

const at = '2026-01-15T14:05:09';
const happened = (kind: string, status = '', attempt: number | null = null) => ({
  ...{ at, kind, status, attempt },
});

test('each thing that happened is said with how good it is', () => {
  const timeline = [
    happened('created'),
    happened('validated', 'invalid'),
    happened('queued', 'queued'),
    happened('attempt', 'succeeded', 1),
    happened('delivered', 'delivered'),
    happened('ack', 'accepted_with_errors'),
    happened('ack', 'strange_word'),
    happened('ack'),
    happened('cancelled', 'cancelled'),
    happened('something'),
  ];
  expect(stepsOf(timeline).map(({ words, tone }) => `${words} / ${tone}`)).toEqual([
    'Created / plain',
    'Validated: invalid / err',
    'Queued / plain',
    'Attempt 1 succeeded / plain',
    'Delivered / ok',
    'Acknowledgement: accepted with errors / warn',
    'Acknowledgement: strange word / plain',
    'Acknowledgement / plain',
    'Cancelled / plain',
    'something / plain',
  ]);
});

test('attempts that failed one after the other are one step, the last one named', () => {
  const timeline = [
    happened('attempt', 'failed', 1),
    happened('attempt', 'failed', 2),
    happened('attempt', 'lost', 3),
    happened('attempt', '', null),
  ];
  expect(stepsOf(timeline)).toEqual([
    { at, words: 'Attempt 2 failed', tone: 'err', times: 2 },
    { at, words: 'Attempt 3 outcome not known', tone: 'warn', times: 1 },
    { at, words: 'Attempt runs', tone: 'plain', times: 1 },
  ]);
});
