import { expect, test } from 'vitest';
import type { TreeItem } from './documentTree';
import { counted, markWords, rowName, typeInWords } from './treeWords';

const ERROR = { path: 'BEG.03', severity: 'error' } as const;
const NOTE = { path: 'BEG.03', severity: 'info' } as const;

function item(code: string, name: string, qualifier: string | null): TreeItem {
  const node = {
    ...{ code, name, qualifier, path: code, kind: 'element', type: null, value: null },
    ...{ required: false, count: 1, children: [] },
  };
  return { id: 0, node, depth: 0, parent: -1, end: 1, posinset: 1, setsize: 1, segment: 0 };
}

test('counts take a plural', () => {
  expect([counted(1, 'error'), counted(2, 'error'), counted(12345, 'value')]).toEqual([
    '1 error',
    '2 errors',
    '12,345 values',
  ]);
});

test('a row says its worst findings, a folded one also those below', () => {
  const mark = { own: [NOTE], errorsBelow: 2, warningsBelow: 1 };
  expect(markWords(mark, true)).toEqual({ tone: 'warn', text: '1 warning' });
  expect(markWords(mark, false)).toEqual({ tone: 'err', text: '2 errors' });
  expect(markWords({ own: [ERROR], errorsBelow: 0, warningsBelow: 0 }, true)?.text).toBe('1 error');
  expect(markWords({ own: [], errorsBelow: 1, warningsBelow: 0 }, true)).toBeNull();
  expect(markWords(undefined, true)).toBeNull();
});

test('the name of a row has code, name, meaning, value and findings', () => {
  const words = { tone: 'err', text: '1 error' } as const;
  expect(rowName(item('BEG01', 'Purpose', 'original'), '00', words)).toBe(
    'BEG01, Purpose, original, value 00, 1 error',
  );
  expect(rowName(item('a\u202e', '', null), '', null)).toBe('a[U+202E]');
});

test('types in words', () => {
  expect(
    ['AN 1..22', 'ID 2..2', 'N0 9..9', 'N2 1..10', 'AN 1..1', 'string'].map(typeInWords),
  ).toEqual([
    'text, 1 to 22 characters',
    'code, 2 characters',
    'whole number, 9 characters',
    'number with 2 implied decimals, 1 to 10 characters',
    'text, 1 character',
    'string',
  ]);
});
