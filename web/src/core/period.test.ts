import { expect, test } from 'vitest';
import { dayWords, isBackwards, periodWords } from './period';

test('a period is backwards only if its first day is after its last', () => {
  expect(isBackwards({ date_from: '2026-02-01', date_to: '2026-01-31' })).toBe(true);
  expect(isBackwards({ date_from: '2026-02-01', date_to: '2026-02-01' })).toBe(false);
  expect(isBackwards({ date_from: '2025-12-31', date_to: '2026-01-01' })).toBe(false);
});

test('a period with an open end is never backwards', () => {
  expect(isBackwards({ date_from: '2026-02-01' })).toBe(false);
  expect(isBackwards({ date_to: '2026-02-01' })).toBe(false);
  expect(isBackwards({})).toBe(false);
});

test.each([
  [{}, ''],
  [{ date_from: '2026-10-01', date_to: '2026-10-31' }, 'October 2026'],
  [{ date_from: '2024-02-01', date_to: '2024-02-29' }, 'February 2024'],
  [{ date_from: '2026-10-01', date_to: '2026-10-30' }, '1 Oct 2026 to 30 Oct 2026'],
  [{ date_from: '2026-09-01', date_to: '2026-10-31' }, '1 Sept 2026 to 31 Oct 2026'],
  [{ date_from: '2026-11-01' }, 'since 1 Nov 2026'],
  [{ date_to: '2026-10-31' }, 'until 31 Oct 2026'],
  [{ date_from: '2026-10-12', date_to: '2026-10-12' }, '12 Oct 2026'],
  [{ date_from: 'x', date_to: '2026-10-12' }, 'until 12 Oct 2026'],
])('a period is named by its days: %j', (period, words) => {
  expect(periodWords(period)).toBe(words);
});

test('what is no day has no words', () => {
  expect(dayWords('2026-13-01')).toBe('');
});
