import { expect, test } from 'vitest';
import { warningText } from './warnings';

const place = (index: number) => ({ index, tx_set: '850', control_number: `000${index}` });

test('names the sets that a warning is about, the first ten of them', () => {
  const sets = Array.from({ length: 12 }, (_, at) => place(at + 2));
  expect(warningText({ message: 'left out', count: 2, sets: sets.slice(0, 2) })).toBe(
    'left out: ST[2] 850 0002, ST[3] 850 0003',
  );
  expect(warningText({ message: 'left out', count: 999, sets })).toMatch(
    /ST\[11\] 850 00011 and 989 more$/,
  );
  expect(warningText({ message: 'left out' })).toBe('left out');
});

test('names the first row that a warning is about, and how many follow', () => {
  expect(warningText({ message: 'left out', count: 5, row: [1, 2] })).toBe(
    'left out: row 1.2 and 4 more',
  );
  expect(warningText({ message: 'left out', row: [3] })).toBe('left out: row 3');
});
