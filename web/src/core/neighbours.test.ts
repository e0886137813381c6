import { expect, test } from 'vitest';
import {
  hasSameControlNumbers,
  neighbourhood,
  neighboursInWords,
  type SetRecord,
  unclearInWords,
} from './neighbours';

const sets = (...numbers: string[]) =>
  numbers.map((number) => `ST*850*${number}~SE*2*${number}~`).join('');
const record = (members: Partial<SetRecord> = {}): SetRecord => ({
  ...{ tx_set: '850', gs_control_number: '', st_control_number: '0001' },
  ...{ direction: 'outbound', segment_count: 2, ...members },
});

test('a document of one set has no neighbours, nor has one that could not be read', () => {
  const unread = record({ tx_set: '', st_control_number: '', segment_count: 0 });
  expect(neighbourhood(record(), sets('0001'))).toEqual([]);
  expect(neighbourhood(unread, sets('0001', '0002'))).toEqual([]);
  expect(neighboursInWords(unread, sets('0001', '0002'))).toBe('');
  expect(neighbourhood(record({ tx_set: '' }), sets('0001', '0002'))).toHaveLength(2);
});

test('a text with neighbours is not handed in, and says how many there are', () => {
  expect(neighboursInWords(record(), sets('0001'))).toBe('');
  expect(neighboursInWords(record(), sets('0001', '0002'))).toBe(
    'The document contains 2 transaction sets, and this transaction is one of them. Remove the others: all of them would be sent.',
  );
  const received = record({ direction: 'inbound' });
  expect(neighboursInWords(received, sets('1', '2', '3'))).toContain('would be submitted.');
});

test('what is unclear says why: several have its numbers, or none has', () => {
  const sameNumbers = sets('0001', '0001', '0002');
  expect(hasSameControlNumbers(record(), sameNumbers)).toBe(true);
  expect(unclearInWords(record(), neighbourhood(record(), sameNumbers))).toMatch(
    /which of its 3 .* this one is: 2 of them match the control numbers/,
  );
  const unrelated = record({ st_control_number: '0009' });
  expect(hasSameControlNumbers(unrelated, sameNumbers)).toBe(false);
  expect(unclearInWords(unrelated, neighbourhood(unrelated, sameNumbers))).toContain(
    'none of them matches',
  );
});
