import { describe, expect, it } from 'vitest';
import { totalWords } from './totalWords';

describe('totalWords', () => {
  it.each([
    [{ total: 1234 }, '1,234'],
    [{ total: 10_000, total_is_exact: true }, '10,000'],
    [{ total: 10_000, total_is_exact: false }, 'more than 10,000'],
  ])('says %o as %s', (list, words) => {
    expect(totalWords(list)).toBe(words);
  });
});
