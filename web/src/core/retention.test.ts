import { describe, expect, test } from 'vitest';
import { removesMore, retentionDays, retentionWords } from './retention';

describe('retention', () => {
  test.each([
    ['1', 1],
    [' 90 ', 90],
    ['36500', 36_500],
    ['36501', null],
    ['0', null],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['٣', null],
  ])('%j is %s', (text, days) => {
    expect(retentionDays(text)).toBe(days);
  });

  test('days in words', () => {
    expect(retentionWords(null)).toBe('forever');
    expect(retentionWords(1)).toBe('1 day');
    expect(retentionWords(3650)).toBe('3,650 days');
  });

  test('only a shorter time removes documents', () => {
    expect(removesMore(null, 90)).toBe(true);
    expect(removesMore(90, 30)).toBe(true);
    expect(removesMore(30, 90)).toBe(false);
    expect(removesMore(30, 30)).toBe(false);
    expect(removesMore(30, null)).toBe(false);
  });
});
