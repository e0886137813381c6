import { expect, test } from 'vitest';
import { countWaiting, inPlace } from './steadyRows';

const keyOf = ({ id }: { id: number }) => id;
const row = (id: number, status = 'queued') => ({ id, status });

test('rows keep their places and show what they are now', () => {
  const latest = [row(9), row(3, 'delivered'), row(2)];
  expect(inPlace([row(2), row(3)], latest, keyOf)).toEqual([row(2), row(3, 'delivered')]);
});

test('a row that the newer list lacks stays as it was', () => {
  expect(inPlace([row(1, 'failed')], [row(9)], keyOf)).toEqual([row(1, 'failed')]);
});

test('only what is not shown waits', () => {
  expect(countWaiting([row(2), row(3)], [row(9), row(3), row(8)], keyOf)).toBe(2);
  expect(countWaiting([row(2)], [row(2, 'sent')], keyOf)).toBe(0);
});
