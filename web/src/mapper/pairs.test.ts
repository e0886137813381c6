import { expect, test } from 'vitest';
import { pairsOf, pairsText } from './pairs';

test('a table comes back from its lines, equals signs and all', () => {
  const rows = [
    { from: 'EA', to: 'each' },
    { from: 'a=b', to: 'x=y' },
    { from: '', to: 'nothing' },
    { from: 'CA', to: '' },
  ];
  expect(pairsText(rows)).toBe('EA=each\na=b\tx=y\n=nothing\nCA=');
  expect(pairsOf(pairsText(rows))).toEqual(rows);
});

test('a line without a sign has an empty result', () => {
  expect(pairsOf('EA\n\nCA=case')).toEqual([
    { from: 'EA', to: '' },
    { from: 'CA', to: 'case' },
  ]);
});
