import { expect, test } from 'vitest';
import { parentOf, treeStep, typedAhead } from './treeKeys';

// a (open): b, c (closed); d
const ROWS = [
  { depth: 0, expanded: true },
  { depth: 1, expanded: null },
  { depth: 1, expanded: false },
  { depth: 0, expanded: null },
];

test('the parent of a row is the nearest one above it that is less deep', () => {
  expect([0, 1, 2, 3].map((index) => parentOf(ROWS, index))).toEqual([0, 0, 0, 3]);
});

test('arrows, Home, End and pages stay in the tree', () => {
  expect(treeStep('ArrowUp', ROWS, 0, 10)).toEqual({ kind: 'go', index: 0 });
  expect(treeStep('ArrowDown', ROWS, 3, 10)).toEqual({ kind: 'go', index: 3 });
  expect(treeStep('End', ROWS, 0, 10)).toEqual({ kind: 'go', index: 3 });
  expect(treeStep('Home', ROWS, 2, 10)).toEqual({ kind: 'go', index: 0 });
  expect(treeStep('PageDown', ROWS, 0, 3)).toEqual({ kind: 'go', index: 2 });
  expect(treeStep('PageUp', ROWS, 3, 3)).toEqual({ kind: 'go', index: 1 });
});

test('right opens and then enters; left closes and then leaves', () => {
  expect(treeStep('ArrowRight', ROWS, 2, 10)).toEqual({ kind: 'toggle', index: 2 });
  expect(treeStep('ArrowRight', ROWS, 0, 10)).toEqual({ kind: 'go', index: 1 });
  expect(treeStep('ArrowRight', ROWS, 1, 10)).toBeNull();
  expect(treeStep('ArrowLeft', ROWS, 0, 10)).toEqual({ kind: 'toggle', index: 0 });
  expect(treeStep('ArrowLeft', ROWS, 2, 10)).toEqual({ kind: 'go', index: 0 });
  expect(treeStep('*', ROWS, 1, 10)).toEqual({ kind: 'siblings', index: 1 });
  expect(treeStep('x', ROWS, 1, 10)).toBeNull();
});

test('one letter goes on to the next name; more of them stay while they fit', () => {
  const names = ['beg', 'cur', 'ctt', 'Beta'];
  expect(typedAhead(names, 0, 'b')).toBe(3);
  expect(typedAhead(names, 1, 'ct')).toBe(2);
  expect(typedAhead(names, 3, 'be')).toBe(3);
  expect(typedAhead(names, 0, 'z')).toBe(-1);
});
