import { expect, test } from 'vitest';
import { pairsOf, pairsText, shownPairs } from './pairs';

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

test('a field shows what was typed while the table says the same, and else the table', () => {
  const rows = pairsOf('EA=each\n\nCA');
  expect(shownPairs('EA=each\n\nCA', rows)).toBe('EA=each\n\nCA');
  expect(shownPairs(null, rows)).toBe('EA=each\nCA=');
  expect(shownPairs('EA=each\n\nCA', pairsOf('B=bbb'))).toBe('B=bbb');
});
