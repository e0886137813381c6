import { describe, expect, test } from 'vitest';
import { changeWords, openWords, pageAddress, shareWords, spanWords } from './overviewWords';

describe('a span of time', () => {
  test.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3599, '59 min'],
    [3600, '1 h'],
    [111_600, '31 h'],
    [172_800, '48 h'],
    [259_199, '71 h'],
    [259_200, '3 d'],
    [86_400_000, '1,000 d'],
  ])('%d seconds are %s', (seconds, words) => {
    expect(spanWords(seconds)).toBe(words);
  });
});

describe('a share', () => {
  test.each([
    [0, 0, null],
    [0, 7, '0 %'],
    [1, 80, '1.3 %'],
    [1, 3, '33.3 %'],
    [1, 2, '50 %'],
    [7, 7, '100 %'],
    [1, 5000, 'under 0.1 %'],
    [4999, 5000, 'over 99.9 %'],
    [996, 1000, '99.6 %'],
  ])('%d of %d is %s', (part, whole, words) => {
    expect(shareWords(part, whole)).toBe(words);
  });
});

describe('a change', () => {
  test.each([
    [108, 100, 7, '▲ 8 % on the 7 days before'],
    [50, 100, 30, '▼ 50 % on the 30 days before'],
    [5000, 100, 30, '▲ 4,900 % on the 30 days before'],
    [1001, 1000, 90, 'as many as in the 90 days before'],
    [3, 0, 30, 'none in the 30 days before'],
    [0, 0, 30, 'none in the 30 days before either'],
    [3, 1204, 1, '1,204 yesterday'],
  ])('%d after %d in %d days', (count, before, days, words) => {
    expect(changeWords(count, before, days)).toBe(words);
  });
});

describe('an address that the server names', () => {
  test.each(['/app', '/app?period=7', '/app/acks?tab=pending&tx_set=850', '/app/partners/7'])(
    '%s is a page',
    (href) => {
      expect(pageAddress(href)).toBe(href);
    },
  );
  test.each([
    'https://example.com/app/acks',
    '//example.com/app',
    '/app\\..\\x',
    '/application',
    'javascript:alert(1)',
    '/app/a b',
    '/app/\nx',
    '',
  ])('%j is none', (href) => {
    expect(pageAddress(href)).toBeNull();
  });
});

test.each([
  ['/app/acks?tab=pending', 1200, 'Open 1,200'],
  ['/app/acks?tab=pending', 1, 'Open'],
  ['/app/partners/7', 93, 'Open'],
  ['/app/partners/7?tab=numbers', 93, 'Open'],
])('%s of %d is reached by %s', (href, count, words) => {
  expect(openWords(href, count)).toBe(words);
});
