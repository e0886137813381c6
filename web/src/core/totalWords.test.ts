import { describe, expect, it, test } from 'vitest';
import { rangeWords, totalWords } from './totalWords';

describe('totalWords', () => {
  it.each([
    [{ total: 1234 }, '1,234'],
    [{ total: 10_000, total_is_exact: true }, '10,000'],
    [{ total: 10_000, total_is_exact: false }, 'more than 10,000'],
  ])('says %o as %s', (list, words) => {
    expect(totalWords(list)).toBe(words);
  });
});

test('which rows are shown is said with how many there are', () => {
  expect(rangeWords(0, { count: 10, total: 10 })).toBe('1 to 10 of 10');
  expect(rangeWords(1_000, { count: 50, total: 1_234 })).toBe('1,001 to 1,050 of 1,234');
  expect(rangeWords(50, { count: 0, total: 12 })).toBe('0 of 12');
  expect(rangeWords(0, { count: 50, total: 10_000, total_is_exact: false })).toBe(
    '1 to 50 of more than 10,000',
  );
});
