import { expect, test } from 'vitest';
import {
  ancestorsOf,
  documentTree,
  firstExpanded,
  marksOf,
  rowOfPath,
  summaryOf,
  visibleRows,
} from './documentTree';
import type { InspectNode } from './model';

function node(
  kind: string,
  path: string,
  children: InspectNode[] = [],
  value: string | null = null,
) {
  const code = path.split(/[./]/).join('');
  const rest = { name: '', type: null, required: false, count: 1, qualifier: null };
  return { kind, path, code, value, children, ...rest } satisfies InspectNode;
}

const ORDER = documentTree([
  node('segment', 'ISA', [node('element', 'ISA.01', [], '00')]),
  node('set', 'ST', [
    node('segment', 'ST', [node('element', 'ST.01', [], '850')]),
    node('segment', 'BEG', [
      node('element', 'BEG.01', [], '00'),
      node('element', 'BEG.02', [], ''),
      node('element', 'BEG.03', [], 'PO-1'),
    ]),
    node('loop', 'PO1', [node('segment', 'PO1', [node('element', 'PO1.02', [], '4')])]),
    node('loop', 'PO1[2]', [node('segment', 'PO1[2]', [node('element', 'PO1[2].02', [], '5')])]),
  ]),
]);

function paths(ids: Iterable<number>): string[] {
  return [...ids].map((id) => `${ORDER.items[id]?.node.kind} ${ORDER.items[id]?.node.path}`);
}

test('segments are numbered through the document', () => {
  const numbered = ORDER.items.filter(({ segment }) => segment > 0);
  expect(numbered.map(({ segment, node: { path } }) => [segment, path])).toEqual([
    [1, 'ISA'],
    [2, 'ST'],
    [3, 'BEG'],
    [4, 'PO1'],
    [5, 'PO1[2]'],
  ]);
});

test('a path that a loop and a segment share means the segment', () => {
  expect(paths([rowOfPath(ORDER, 'PO1[2]') ?? -1])).toEqual(['segment PO1[2]']);
  expect(paths([rowOfPath(ORDER, 'ST') ?? -1])).toEqual(['segment ST']);
});

test('a path that is not there leads to what is around it, or nowhere', () => {
  expect(paths([rowOfPath(ORDER, 'PO1[2].07') ?? -1])).toEqual(['segment PO1[2]']);
  expect(paths([rowOfPath(ORDER, 'BEG.03.01') ?? -1])).toEqual(['element BEG.03']);
  expect(rowOfPath(ORDER, 'ZZZ.01')).toBeNull();
  expect(rowOfPath(ORDER, 'PO1[9].01')).toBeNull();
  const tree = documentTree([node('set', 'ST', [node('segment', 'ST')]), node('set', 'ST[2]')]);
  expect(rowOfPath(tree, 'ST[2]/BEG.03')).toBe(2);
  expect(rowOfPath(documentTree([node('array', 'a.items')]), 'a.items[7].x')).toBe(0);
});

test('at first sets and loops are open and segments are not', () => {
  expect(paths(firstExpanded(ORDER))).toEqual(['set ST', 'loop PO1', 'loop PO1[2]']);
  expect(paths(visibleRows(ORDER, firstExpanded(ORDER)).map(({ id }) => id))).toEqual([
    'segment ISA',
    'set ST',
    'segment ST',
    'segment BEG',
    'loop PO1',
    'segment PO1',
    'loop PO1[2]',
    'segment PO1[2]',
  ]);
});

test('a large document opens its sets, and what is inside as far as there is room', () => {
  const lines = Array.from({ length: 390 }, (_, at) =>
    node('loop', `PO1[${at}]`, [node('segment', `PO1[${at}]`)]),
  );
  const small = documentTree([node('set', 'ST', lines)]);
  expect(visibleRows(small, firstExpanded(small)).length).toBe(400);
  const large = documentTree([node('set', 'ST', [...lines, ...lines])]);
  expect(visibleRows(large, firstExpanded(large)).length).toBe(781);
});

test('a folded row tells its values', () => {
  const segment = ORDER.items[rowOfPath(ORDER, 'BEG') ?? -1];
  expect(segment && summaryOf(ORDER, segment)).toBe('00 · PO-1');
});

test('findings stand at their row and are counted around it', () => {
  const marks = marksOf(ORDER, [
    { path: 'PO1[2].02', severity: 'error' },
    { path: 'PO1[2].09', severity: 'warning' },
    { path: null, severity: 'error' },
  ]);
  const element = rowOfPath(ORDER, 'PO1[2].02') ?? -1;
  const segment = rowOfPath(ORDER, 'PO1[2]') ?? -1;
  expect(marks.get(element)?.own.length).toBe(1);
  expect(marks.get(segment)).toMatchObject({ errorsBelow: 1, warningsBelow: 0 });
  expect(marks.get(segment)?.own.length).toBe(1);
  expect(paths(ancestorsOf(ORDER, segment))).toEqual(['loop PO1[2]', 'set ST']);
  expect(marks.get(rowOfPath(ORDER, 'BEG') ?? -1)).toBeUndefined();
});
