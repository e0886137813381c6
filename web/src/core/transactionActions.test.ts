import { describe, expect, test } from 'vitest';
import { type Acted, possibilities } from './transactionActions';

const SENT: Acted = {
  direction: 'outbound',
  tx_set: '850',
  status: 'delivered',
  ack_status: 'pending',
  delivery_status: 'delivered',
  processing_status: 'not_applicable',
  validation_status: 'valid',
};
const allowed = (record: Acted) =>
  Object.entries(possibilities(record))
    .filter(([, { why }]) => why === '')
    .map(([action]) => action);

describe('what may be done with what was sent depends on its delivery', () => {
  test.each([
    ['not_applicable', []],
    ['pending', ['retry', 'cancel']],
    ['held', ['cancel']],
    ['sending', []],
    ['sent', []],
    ['delivered', ['retry', 'reissue']],
    ['failed', ['retry', 'reissue', 'cancel']],
    ['cancelled', ['reissue']],
  ])('%s', (delivery_status, expected) => {
    expect(allowed({ ...SENT, delivery_status })).toEqual(expected);
  });
});

test('what the partner has rejected can be issued anew and corrected in any state', () => {
  const rejected = { ...SENT, status: 'rejected', ack_status: 'rejected' } as const;
  expect(allowed({ ...rejected, delivery_status: 'sent' })).toEqual(['reissue', 'correct']);
});

test('of what was delivered a retry needs a reason, of what failed it does not', () => {
  expect(possibilities(SENT).retry.needsReason).toBe(true);
  expect(possibilities({ ...SENT, delivery_status: 'failed' }).retry.needsReason).toBe(false);
});

test.each(['invalid', 'quarantined', 'failed'] as const)('received and %s: corrected', (status) => {
  const received = { ...SENT, direction: 'inbound', delivery_status: 'not_applicable' } as const;
  expect(allowed({ ...received, status })).toEqual(['correct']);
});

test('what was received in order can only be looked at', () => {
  const record = { ...SENT, direction: 'inbound', status: 'processed' } as const;
  expect(allowed({ ...record, ack_status: 'rejected' })).toEqual([]);
  expect(possibilities(record).retry.why).toMatch(/^It was received\./);
});

test('acknowledgements are not corrected', () => {
  expect(allowed({ ...SENT, tx_set: '997', status: 'failed', delivery_status: 'sending' })).toEqual(
    [],
  );
});

test('a refused action names the state', () => {
  expect(possibilities({ ...SENT, delivery_status: 'held' }).retry.why).toBe(
    'Only waiting, delivered and failed documents can be resent. This one cannot: it is held.',
  );
});
