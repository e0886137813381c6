/**
 * The rows of JSON, XML and CSV documents: items of an array are one row, `lines[*].sku`; so are
 * elements of one name that repeat, `Order.Line[*].Qty`, and the rows of a CSV, `row[*]/sku`.
 */

import { badgeOfJson, badgeOfValues } from './badges';
import type { InspectNode, SourceKind, SourceNode } from './model';

/** A place of the document; `node`: null if this instance has none. */
interface Place {
  node: InspectNode | null;
  binding: number[];
}

/** All places of a row. `loops`: the wildcards of its path. */
interface Row {
  path: string;
  loops: string[];
  places: Place[];
}

/** The rows of a JSON document. */
export function jsonRows(tree: InspectNode[]): SourceNode[] {
  const row = { path: '', loops: [], places: tree.map((node) => ({ node, binding: [] })) };
  const isObject = tree[0]?.kind === 'object';
  return isObject ? memberRows(row) : [jsonRow(row)];
}

function jsonRow(row: Row): SourceNode {
  const nodes = nodesOf(row);
  if (nodes.some((node) => node.kind === 'array')) {
    return arrayRow(row, itemsOf(row));
  }
  const isObject = nodes.some((node) => node.kind === 'object');
  return { ...fieldRow(row, isObject ? 'object' : 'value'), children: memberRows(row) };
}

function arrayRow(row: Row, items: Row): SourceNode {
  const inner = nodesOf(items);
  const code = nodesOf(row)[0]?.code ?? '';
  if (!inner.some(isContainer)) {
    // An array of plain values is one row, which names all of them.
    return { ...fieldRow(items, 'array'), badge: 'arr', code };
  }
  const nested = inner.some((each) => each.kind === 'array') ? [jsonRow(items)] : [];
  return {
    ...fieldRow(row, 'array'),
    loops: items.loops,
    count: items.places.length,
    bindings: items.places.map(({ binding }) => binding),
    children: [...memberRows(items), ...nested],
  };
}

const isContainer = (node: InspectNode) => node.kind === 'array' || node.kind === 'object';

function itemsOf(row: Row): Row {
  const path = `${row.path}[*]`;
  const places = row.places.flatMap(({ node, binding }) =>
    (node?.kind === 'array' ? node.children : []).map((child, ordinal) => ({
      node: child,
      binding: [...binding, ordinal],
    })),
  );
  return { path, loops: [...row.loops, path], places };
}

function memberRows(row: Row): SourceNode[] {
  const steps = new Map<string, Place[]>();
  row.places.forEach(({ node }, at) => {
    for (const child of node?.kind === 'object' ? node.children : []) {
      const step = child.path.slice(node?.path === '' ? 0 : (node?.path.length ?? 0) + 1);
      placed(steps, step, row)[at] = { node: child, binding: row.places[at]?.binding ?? [] };
    }
  });
  return [...steps].map(([step, places]) => {
    const path = row.path === '' ? step : `${row.path}.${step}`;
    return jsonRow({ path, loops: row.loops, places });
  });
}

function placed(steps: Map<string, Place[]>, step: string, row: Row): Place[] {
  const places = steps.get(step) ?? row.places.map(({ binding }) => ({ node: null, binding }));
  steps.set(step, places);
  return places;
}

/** The rows of an XML document. */
export function xmlRows(tree: InspectNode[]): SourceNode[] {
  return elementsOf([{ node: rootOf(tree), binding: [] }], '', []);
}

const rootOf = (children: InspectNode[]): InspectNode => ({
  path: '',
  code: '',
  kind: 'element',
  name: '',
  type: null,
  value: null,
  required: false,
  count: 1,
  qualifier: null,
  children,
});

const NUMBERED = /(?<!\\)\[[0-9]+\]$/;

function elementsOf(places: Place[], above: string, loops: string[]): SourceNode[] {
  const names = new Map<string, InspectNode[][]>();
  places.forEach(({ node }, at) => {
    for (const child of node?.children ?? []) {
      const step = child.path.slice(node?.path === '' ? 0 : (node?.path.length ?? 0) + 1);
      const name = step.replace(NUMBERED, '');
      const found = names.get(name) ?? places.map((): InspectNode[] => []);
      names.set(name, found);
      found[at]?.push(child);
    }
  });
  return [...names].map(([name, byPlace]) => {
    const isMany = byPlace.some((each) => each.length > 1);
    const path = `${above === '' ? '' : `${above}.`}${name}${isMany ? '[*]' : ''}`;
    const inner = byPlace.flatMap((found, at) => instancesOf(found, places[at], isMany));
    return xmlRow({ path, loops: isMany ? [...loops, path] : loops, places: inner });
  });
}

function instancesOf(found: InspectNode[], place: Place | undefined, isMany: boolean): Place[] {
  const binding = place?.binding ?? [];
  return isMany
    ? found.map((node, ordinal) => ({ node, binding: [...binding, ordinal] }))
    : [{ node: found[0] ?? null, binding }];
}

function xmlRow(row: Row): SourceNode {
  const isMany = row.loops.at(-1) === row.path;
  const isInner = nodesOf(row).some((node) => node.children.length > 0);
  const node = fieldRow(row, xmlKind(row, isMany, isInner));
  const isEmpty = isInner && node.path === null;
  return {
    ...node,
    badge: isMany ? 'arr' : isEmpty ? 'obj' : badgeOfValues(node.values),
    count: isMany ? row.places.length : node.count,
    children: elementsOf(row.places, row.path, row.loops),
  };
}

function xmlKind(row: Row, isMany: boolean, isInner: boolean): SourceKind {
  if (nodesOf(row)[0]?.kind === 'attribute') {
    return 'attribute';
  }
  return isMany && isInner ? 'array' : isInner ? 'object' : 'value';
}

/** The rows of a CSV document: one that stands for all its rows, and its columns. */
export function csvRows(tree: InspectNode[]): SourceNode[] {
  const loop = 'row[*]';
  const columns = new Map<string, Place[]>();
  const places = tree.map((node, ordinal): Place => ({ node, binding: [ordinal] }));
  const row = { path: loop, loops: [loop], places };
  places.forEach(({ node, binding }, at) => {
    for (const cell of node?.children ?? []) {
      placed(columns, cell.code, row)[at] = { node: cell, binding };
    }
  });
  const children = [...columns].map(([column, cells]) => {
    const node = fieldRow({ path: `${loop}/${column}`, loops: [loop], places: cells }, 'column');
    return { ...node, badge: badgeOfValues(node.values) };
  });
  const bindings = places.map(({ binding }) => binding);
  const rows = fieldRow({ path: loop, loops: [loop], places: [] }, 'row');
  return [
    {
      ...rows,
      badge: 'arr',
      code: 'row',
      name: 'Rows',
      path: null,
      bindings,
      count: tree.length,
      children,
    },
  ];
}

function nodesOf(row: Row): InspectNode[] {
  return row.places.flatMap(({ node }) => node ?? []);
}

function fieldRow(row: Row, kind: SourceKind): SourceNode {
  const nodes = nodesOf(row);
  const values = row.places.map(({ node }) => node?.value ?? '');
  const isValue =
    !(kind === 'object' || kind === 'array') || nodes.some((each) => each.value !== null);
  const type = (nodes.find((each) => each.type !== 'null') ?? nodes[0])?.type ?? null;
  return {
    id: row.path,
    kind,
    badge: badgeOfJson(type, values),
    code: nodes[0]?.code ?? '',
    name: '',
    path: isValue && isAddressable(row.path) ? row.path : null,
    loops: row.loops,
    values: isValue ? values : [],
    keys: isValue ? row.places.map(({ node }) => node?.path ?? '') : [],
    bindings: row.places.map(({ binding }) => binding),
    count: nodes.length,
    required: false,
    envelope: false,
    qualifier: '',
    children: [],
  };
}

// A step without a name, which no path can hold: of the member "" of a JSON object.
const NAMELESS = /^$|^\.|(?<!\\)\.(?=[.[]|$)/;

function isAddressable(path: string): boolean {
  return !NAMELESS.test(path);
}
