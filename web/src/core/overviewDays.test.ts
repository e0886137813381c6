import { expect, test } from 'vitest';
import { dayLabel, daysUntil, spanLabel } from './overviewDays';

test('a period ends with the day of UTC that it is now', () => {
  const now = Date.parse('2026-03-01T00:30:00Z');
  expect(daysUntil(now, 1)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  expect(daysUntil(now, 7)).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  expect(daysUntil(now, 90)).toEqual({ from: '2025-12-02', to: '2026-03-01' });
});

test('a day is told without its year', () => {
  expect(dayLabel('2026-01-15')).toBe('15 Jan');
  expect(dayLabel('2026-12-01')).toBe('1 Dec');
  expect(dayLabel('soon')).toBe('soon');
  expect(spanLabel({ from: '2025-12-31', to: '2026-01-15' })).toBe('31 Dec to 15 Jan');
  expect(spanLabel({ from: '2026-01-15', to: '2026-01-15' })).toBe('15 Jan');
});
