import { expect, test } from 'vitest';
import { documentTree, visibleRows } from './documentTree';
import type { InspectNode } from './model';
import { type TreeView, treeAction, typedRow } from './treeKeys';

function node(code: string, name: string, children: InspectNode[] = []): InspectNode {
  const rest = { path: code, type: null, value: null, required: false, count: 1, qualifier: null };
  return { kind: 'segment', code, name, children, ...rest };
}

// 0 ISA (1 ISA01, 2 ISA02), 3 BEG (4 BEG01), 5 SE
const TREE = documentTree([
  node('ISA', 'Interchange header', [node('ISA01', 'Qualifier'), node('ISA02', 'Info')]),
  node('BEG', 'Header', [node('BEG01', 'Purpose')]),
  node('SE', 'Trailer'),
]);

function view(active: number, open: number[] = []): TreeView {
  const expanded = new Set(open);
  return { tree: TREE, rows: visibleRows(TREE, expanded), expanded, active, page: 2 };
}

test('arrows go to the neighbours and stop at the ends', () => {
  expect(treeAction(view(0), 'ArrowDown')).toEqual({ kind: 'go', id: 3 });
  expect(treeAction(view(5), 'ArrowDown')).toEqual({ kind: 'go', id: 5 });
  expect(treeAction(view(0), 'ArrowUp')).toEqual({ kind: 'go', id: 0 });
});

test('Home, End and pages', () => {
  expect(treeAction(view(3), 'Home')).toEqual({ kind: 'go', id: 0 });
  expect(treeAction(view(3), 'End')).toEqual({ kind: 'go', id: 5 });
  expect(treeAction(view(0, [0]), 'PageDown')).toEqual({ kind: 'go', id: 2 });
  expect(treeAction(view(5), 'PageUp')).toEqual({ kind: 'go', id: 0 });
});

test('right unfolds, then enters; a leaf has nothing to unfold', () => {
  expect(treeAction(view(0), 'ArrowRight')).toEqual({ kind: 'expand', ids: [0] });
  expect(treeAction(view(0, [0]), 'ArrowRight')).toEqual({ kind: 'go', id: 1 });
  expect(treeAction(view(5), 'ArrowRight')).toBeNull();
});

test('left folds, then leaves; at the top there is nowhere to go', () => {
  expect(treeAction(view(0, [0]), 'ArrowLeft')).toEqual({ kind: 'collapse', id: 0 });
  expect(treeAction(view(1, [0]), 'ArrowLeft')).toEqual({ kind: 'go', id: 0 });
  expect(treeAction(view(5), 'ArrowLeft')).toBeNull();
});

test('an asterisk unfolds the siblings', () => {
  expect(treeAction(view(5), '*')).toEqual({ kind: 'expand', ids: [0, 3] });
});

test('Enter and Space choose, other keys do nothing', () => {
  expect(treeAction(view(0), 'Enter')).toEqual({ kind: 'choose' });
  expect(treeAction(view(0), ' ')).toEqual({ kind: 'choose' });
  expect(treeAction(view(0), 'F9')).toBeNull();
});

test('an active row that is folded away begins at the top', () => {
  expect(treeAction(view(1), 'ArrowDown')).toEqual({ kind: 'go', id: 0 });
});

test('typing finds the next code or name that begins so, around the end', () => {
  expect(typedRow(view(0), 't')).toBe(5);
  expect(typedRow(view(5), 'b')).toBe(3);
  expect(typedRow(view(3), 'be')).toBe(3);
  expect(typedRow(view(3), 'zz')).toBeNull();
});
