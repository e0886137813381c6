import { expect, test } from 'vitest';
import { keysOf, statusWords, TRANSACTION_STATUSES, wordsIn } from './statusWords';

test('an acknowledged record says how it was acknowledged', () => {
  const found = statusWords({ status: 'acknowledged', ack_status: 'partially_accepted' });
  expect([found.word, found.tone]).toEqual(['Partly accepted', 'warn']);
  const accepted = statusWords({ status: 'acknowledged', ack_status: 'accepted' });
  expect([accepted.word, accepted.tone]).toEqual(['Acknowledged', 'ok']);
});

test('any other record says its status', () => {
  expect(statusWords({ status: 'failed', ack_status: 'overdue' }).word).toBe('Failed');
});

test('the words of an address are those the table has, in its order', () => {
  expect(wordsIn('queued,nonsense,failed,failed', TRANSACTION_STATUSES)).toEqual([
    'failed',
    'queued',
  ]);
  expect(wordsIn(undefined, TRANSACTION_STATUSES)).toEqual([]);
  expect(keysOf(TRANSACTION_STATUSES)).toHaveLength(15);
});
