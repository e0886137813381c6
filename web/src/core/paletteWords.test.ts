import { expect, test } from 'vitest';
import { fits, foundWords, recordWords } from './paletteWords';

const ORDER = {
  id: 42,
  direction: 'outbound',
  status: 'rejected',
  ack_status: 'rejected',
  delivery_status: 'delivered',
  attempts: 1,
  tx_set: '850',
  tx_set_name: 'Purchase order',
  business_key: 'PO-1',
  partner_name: 'Northwind',
} as const;

test('a transaction is named by set and key, and said where it went and what became of it', () => {
  expect(recordWords(ORDER)).toEqual({
    label: '850 Purchase order PO-1',
    description: 'Rejected, sent to Northwind, number 42',
  });
  const unread = { ...ORDER, direction: 'inbound', tx_set: '', tx_set_name: '' } as const;
  expect(recordWords({ ...unread, business_key: '', partner_name: '' })).toEqual({
    label: 'Transaction 42',
    description: 'Rejected, received from an unknown partner, number 42',
  });
});

test('hidden characters of what somebody else has written are named', () => {
  expect(recordWords({ ...ORDER, business_key: 'PO\u202e1' }).label).toContain('U+202E');
});

test('a row fits by its name and by what it is for, in capitals or not', () => {
  const row = { label: 'API keys', description: 'Keys for programs that call the API' };
  expect(['api K', ' programs ', '', 'vault'].map((typed) => fits(row, typed))).toEqual([
    ...[true, true, true, false],
  ]);
  const partner = { label: 'New partner', description: '', alias: 'add partner' };
  expect(fits(partner, 'Add part')).toBe(true);
});

test('what was found is counted', () => {
  expect(foundWords(3)).toBe('3 found.');
  expect(foundWords(0)).toContain('Enter numbers completely, as they are written: PO-12345.');
});
