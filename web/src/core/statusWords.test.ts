import { expect, test } from 'vitest';
import {
  ackWords,
  type Delivered,
  deliveryWords,
  heldWords,
  keysOf,
  type Stated,
  statusWords,
  TRANSACTION_STATUSES,
  wordsIn,
} from './statusWords';

const record = (of: Partial<Stated>): Stated => ({
  ...{ status: 'delivered', ack_status: 'pending', attempts: 1 },
  ...of,
});

test('an acknowledged record says how it was acknowledged', () => {
  const partly = record({ status: 'acknowledged', ack_status: 'partially_accepted' });
  expect(statusWords(partly)).toMatchObject({ word: 'Partly accepted', tone: 'warn' });
  const accepted = record({ status: 'acknowledged', ack_status: 'accepted' });
  expect(statusWords(accepted)).toMatchObject({ word: 'Acknowledged', tone: 'ok' });
});

test('any other record says its status, and one that is tried again that it is', () => {
  expect(statusWords(record({ status: 'failed', ack_status: 'overdue' })).word).toBe('Failed');
  expect(statusWords({ status: 'queued', ack_status: 'pending' }).word).toBe('Queued');
  expect(statusWords(record({ status: 'queued' })).word).toBe('Retry due');
});

test('nothing is awaited for what has not arrived', () => {
  expect(
    (['delivered', 'pending', 'held', 'failed', 'cancelled'] as const).map(
      (delivery_status) => ackWords({ ack_status: 'pending', delivery_status }).word,
    ),
  ).toEqual(['Waiting', 'After delivery', 'After delivery', 'Not delivered', 'Not sent']);
  expect(ackWords({ ack_status: 'rejected', delivery_status: 'failed' }).word).toBe('Rejected');
});

test('a delivery says what comes next', () => {
  const said = (delivery_status: Delivered['delivery_status'], attempts: number) =>
    deliveryWords({ delivery_status, attempts });
  expect([said('pending', 0), said('pending', 1), said('failed', 5), said('held', 0)]).toEqual([
    'It waits to be sent.',
    '1 attempt failed; the next one is automatic.',
    '5 attempts failed; there are no more automatic attempts.',
    'It waits until the partner can receive documents.',
  ]);
});

test('what keeps documents from a partner is said', () => {
  const said = (connection_type: string, connection_status: string, partner_status: string) =>
    heldWords({ connection_type, connection_status, partner_status });
  expect([
    said('none', 'unverified', 'testing'),
    said('http', 'disabled', 'active'),
    said('http', 'connected', 'inactive'),
    said('sftp', 'connected', 'active'),
  ]).toEqual([
    'has no connection',
    'has a disabled connection',
    'is inactive',
    'has no usable connection',
  ]);
});

test('the words of an address are those the table has, in its order', () => {
  expect(wordsIn('queued,nonsense,failed,failed', TRANSACTION_STATUSES)).toEqual([
    'failed',
    'queued',
  ]);
  expect(wordsIn(undefined, TRANSACTION_STATUSES)).toEqual([]);
  expect(keysOf(TRANSACTION_STATUSES)).toHaveLength(15);
});
