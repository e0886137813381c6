import { expect, test } from 'vitest';
import { acknowledgementCodes, formatName, inspectedWords, placeInWords } from './inspection';
import type { InspectNode } from './model';

function node(kind: string): InspectNode {
  const rest = { type: null, value: null, required: false, count: 1, qualifier: null };
  return { kind, path: kind, code: kind, name: '', children: [], ...rest };
}

const ORDER = {
  ...{ format: 'x12', tx_set: '850', tx_set_name: 'Purchase order', version: '004010' },
  ...{ elem_sep: '*', seg_term: '~', comp_sep: '>', rep_sep: '' },
  ...{ field_count: 41, tree_truncated: false, tree: [node('segment'), node('set')] },
};

test('an order in words', () => {
  expect(inspectedWords(ORDER)).toEqual([
    'X12',
    '850 Purchase order',
    '004010',
    'separators * ~ >',
    '1 transaction set, 41 values',
  ]);
});

test('an unknown set, separators that cannot be seen, and a tree that was cut', () => {
  const found = { ...ORDER, tx_set: '', tx_set_name: '', version: '', seg_term: '\n' };
  expect(inspectedWords({ ...found, tree_truncated: true, field_count: 1 })).toEqual([
    'X12',
    'no transaction set',
    'separators * line feed >',
    '1 value',
  ]);
});

test('other formats in words', () => {
  const plain = { ...ORDER, tx_set: '', field_count: 9, tree: [node('row'), node('row')] };
  expect(inspectedWords({ ...plain, format: 'json' })).toEqual(['JSON', '9 values']);
  expect(inspectedWords({ ...plain, format: 'csv', elem_sep: '\t' })).toEqual([
    'CSV',
    'separator tab',
    '2 rows, 9 values',
  ]);
  expect(formatName('edifact')).toBe('edifact');
});

test('places count lines from 1 and offsets from 0', () => {
  expect(placeInWords(0, 3)).toBe('line 3, character offset 0');
  expect(placeInWords(1999, null)).toBe('character offset 1,999');
  expect(placeInWords(null, null)).toBe('');
});

test('acknowledgement codes by level', () => {
  expect(acknowledgementCodes({ segment: '8', element: '4' })).toBe('element 4, segment 8');
  expect(acknowledgementCodes(null)).toBe('');
});
