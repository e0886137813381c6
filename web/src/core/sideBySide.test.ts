import { expect, test } from 'vitest';
import { sideBySide } from './sideBySide';

test('changed lines stand beside each other, others beside themselves', () => {
  expect(sideBySide('ST\nPO1*XX\nSE', 'ST\nPO1*UP\nSE')).toEqual([
    { before: 'ST', after: 'ST', isChanged: false },
    { before: 'PO1*XX', after: 'PO1*UP', isChanged: true },
    { before: 'SE', after: 'SE', isChanged: false },
  ]);
});

test('a line that only one side has stands alone', () => {
  expect(sideBySide('a\nb', 'a\nb\nc')).toContainEqual({
    before: null,
    after: 'c',
    isChanged: true,
  });
  expect(sideBySide('a\nx\nb', 'a\nb')[1]).toEqual({ before: 'x', after: null, isChanged: true });
});
