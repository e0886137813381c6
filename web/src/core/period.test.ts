import { expect, test } from 'vitest';
import { isBackwards } from './period';

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
