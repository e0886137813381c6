import { expect, test } from 'vitest';
import { lastingWords, leftWords } from './counterWords';

test('how long numbers last is said as people plan', () => {
  const days = [null, 0, 1, 729, 730, 4014, 4015, 1_379_940_941];
  expect(days.map(lastingWords)).toEqual([
    ...['not yet known', 'less than a day', '1 day', '729 days', '2 years', '10 years'],
    ...['more than 10 years', 'more than 10 years'],
  ]);
});

test('how many are left is said with its thousands', () => {
  expect([0, 999_999_621].map(leftWords)).toEqual(['none', '999,999,621']);
});
