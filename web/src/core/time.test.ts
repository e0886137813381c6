import { expect, test } from 'vitest';
import { relativeTime } from './time';

const NOW = Date.UTC(2026, 10, 23, 7);

test.each([
  [Date.UTC(2026, 10, 23, 6, 59, 30), '30 seconds ago'],
  [Date.UTC(2026, 10, 23, 4), '3 hours ago'],
  [Date.UTC(2026, 10, 22), 'yesterday'],
  [Date.UTC(2026, 10, 25, 8), 'in 2 days'],
  [Date.UTC(2026, 9, 31), '23 days ago'],
  [Date.UTC(2026, 9, 12), '12 Oct 2026'],
  [Date.UTC(2026, 8, 30), '30 Sept 2026'],
  [Date.UTC(2028, 0, 1), '1 Jan 2028'],
])('a time is told as people tell it, one that is a month away by its day', (millis, words) => {
  expect(relativeTime(millis, NOW)).toBe(words);
});
