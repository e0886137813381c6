import { expect, test } from 'vitest';
import { fieldRows, rowsWith } from './fieldRows';
import type { InspectNode } from './model';

function node(path: string, value: string | null, children: InspectNode[] = []): InspectNode {
  const about = { code: path, kind: 'element' as const, type: null, required: false, count: 1 };
  return { path, name: `name of ${path}`, value, qualifier: null, children, ...about };
}

const TREE = [
  node('BEG', null, [node('BEG.01', '00'), node('BEG.03', 'PO-1'), node('BEG.04', '')]),
  node('SV1', 'HC', [node('SV1.01', 'HC')]),
];

test('the values are those of the leaves, in order, without empty ones', () => {
  expect(fieldRows(TREE).map(({ path, value }) => [path, value])).toEqual([
    ['BEG.01', '00'],
    ['BEG.03', 'PO-1'],
    ['SV1.01', 'HC'],
  ]);
});

test('a text is looked for in paths, names, values and meanings', () => {
  const rows = fieldRows(TREE);
  expect(rowsWith(rows, ' po-1').map(({ path }) => path)).toEqual(['BEG.03']);
  expect(rowsWith(rows, 'name of SV1')).toHaveLength(1);
  expect(rowsWith(rows, '')).toHaveLength(3);
});
