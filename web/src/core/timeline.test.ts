import { expect, test } from 'vitest';
import { actorWords, stepsOf } from './timeline';

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
    happened('ack', 'sent'),
    happened('converted', 'stored'),
    happened('queued', 'held'),
    happened('validated', 'quarantined'),
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
    'Our acknowledgement sent / ok',
    'Converted with warnings / warn',
    'Held / warn',
    'Quarantined / err',
    'Cancelled / plain',
    'something / plain',
  ]);
});

test('attempts that failed one after the other are one step, the last one named', () => {
  const timeline = [
    happened('attempt', 'failed', 1),
    happened('attempt', 'failed', 2),
    happened('attempt', 'failed'),
    happened('attempt', 'lost', 3),
    happened('attempt', 'running', 4),
  ];
  expect(stepsOf(timeline)).toEqual([
    { at, words: 'Attempt 2 failed (2 in a row)', tone: 'err' },
    { at, words: 'Attempt 3 outcome unknown', tone: 'warn' },
    { at, words: 'Attempt 4 runs', tone: 'plain' },
  ]);
});

test('what was given up without an attempt is said', () => {
  const timeline = [happened('created', 'received'), happened('attempt', 'failed')];
  expect(stepsOf(timeline).map(({ words }) => words)).toEqual([
    'Received',
    'Failed after all attempts',
  ]);
});

test('who did something is said in words, or by the name that the account has for it', () => {
  const names = new Map([['user 5', 'ann@example.com']]);
  expect(
    ['worker', 'operator', 'token 3', 'key 3', 'user 5', 'user 6', '', 'other'].map((actor) =>
      actorWords(actor, names),
    ),
  ).toEqual([
    ...['Longshore', 'The operator', 'The partner', 'API key 3'],
    ...['ann@example.com', 'User 6', '', 'other'],
  ]);
});
