import { expect, test } from 'vitest';
import type { TransactionStatus } from './statusWords';
import { successorOf } from './successors';

const made = (...statuses: TransactionStatus[]) =>
  statuses.map((status, at) => ({ ...{ id: at + 1, status }, ack_status: 'pending' as const }));

test('the last that came to something stands in the place of what it was made of', () => {
  expect(successorOf(made('acknowledged', 'delivered', 'rejected'))?.id).toBe(2);
  expect(successorOf(made('queued'))?.id).toBe(1);
});

test('what came to nothing stands in no place', () => {
  const fallen = made('invalid', 'failed', 'rejected', 'cancelled', 'quarantined', 'duplicate');
  expect(successorOf(fallen)).toBeNull();
  expect(successorOf([])).toBeNull();
});
