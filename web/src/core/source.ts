/** The rows of the source: path patterns of a sample, and of what a schema allows besides. */

import type { InspectNode, InspectResult, Schema, SourceNode } from './model';
import { CODE_POSITIONS, conditionOf } from './segmentCodes';
import { csvRows, jsonRows, xmlRows } from './sourceFields';
import { type Body, bodyOf } from './sourceSchema';
import { setRows } from './sourceX12';

/** The tree of a document as POST /api/inspect shows it; of X12 that of its first set. */
export function sourceTree(inspect: InspectResult, schema: Schema | null): SourceNode[] {
  const make = TREES[inspect.format];
  return make(inspect, schema === null ? null : bodyOf(schema));
}

type MakeTree = (inspect: InspectResult, body: Body | null) => SourceNode[];

const TREES: Readonly<Record<InspectResult['format'], MakeTree>> = {
  x12: x12Rows,
  json: ({ tree }) => jsonRows(tree),
  xml: ({ tree }) => xmlRows(tree),
  csv: ({ tree }) => csvRows(tree),
};

const ENVELOPE: ReadonlySet<string> = new Set('ISA IEA GS GE ST SE TA1 ISB ISE ISX'.split(' '));

function x12Rows({ tree, definition }: InspectResult, body: Body | null): SourceNode[] {
  const set = tree.find((node) => node.kind === 'set');
  const nodes = (set?.children ?? tree).filter((node) => !isEnvelope(node));
  const rows = setRows(nodes, body, definition !== 'none');
  const envelope = envelopeRow(tree, set);
  return envelope === null ? rows : [envelope, ...rows];
}

const isEnvelope = (node: InspectNode) => node.kind === 'segment' && ENVELOPE.has(node.code);

/** The envelope around the first set; of segments of one id the one that paths mean. */
function envelopeRow(tree: InspectNode[], set: InspectNode | undefined): SourceNode | null {
  const before = set === undefined ? tree : tree.slice(0, tree.indexOf(set));
  const own = new Map<string, InspectNode>();
  for (const node of before.filter(isEnvelope)) {
    own.set(node.code, node);
  }
  for (const node of [...(set?.children ?? []), ...tree].filter(isEnvelope)) {
    if (!own.has(node.code)) {
      own.set(node.code, node);
    }
  }
  const segments = [...own.values()].map((node) => ({
    ...node,
    path: node.code,
    children: moved(node),
  }));
  const children = setRows(segments, null, true).map(marked);
  if (children.length === 0) {
    return null;
  }
  const name = children.map((each) => each.code).join(' · ');
  return { ...EMPTY, id: 'envelope', kind: 'envelope', code: 'Envelope', name, children };
}

// `ISA.06` means the one of the set, whatever number it has in the document.
function moved(segment: InspectNode): InspectNode[] {
  return segment.children.map((each) => ({
    ...each,
    path: segment.code + each.path.slice(segment.path.length),
  }));
}

const EMPTY: SourceNode = {
  id: '',
  kind: 'envelope',
  badge: 'seg',
  code: '',
  name: '',
  path: null,
  loops: [],
  values: [],
  keys: [],
  bindings: [],
  count: 1,
  required: false,
  envelope: true,
  qualifier: '',
  children: [],
};

function marked(node: SourceNode): SourceNode {
  return { ...node, envelope: true, children: node.children.map(marked) };
}

/** Which instance of each loop is shown: its 0-based ordinal by the path of the loop. */
export type ShownInstances = ReadonlyMap<string, number>;

/** The sample value of a row in the instances shown; `''` if there is none. */
export function sampleValue(node: SourceNode, shown: ShownInstances): string {
  if (node.loops.length === 0) {
    return node.values[0] ?? '';
  }
  const wanted = node.loops.map((loop) => shown.get(loop) ?? 0);
  const at = node.bindings.findIndex((binding) => binding.every((each, i) => each === wanted[i]));
  return node.values[at] ?? '';
}

/** The 0-based instances a loop has inside the instances shown of the loops around it. */
export function instanceCount(loop: SourceNode, shown: ShownInstances): number {
  const outer = loop.loops.slice(0, -1).map((each) => shown.get(each) ?? 0);
  return loop.bindings.filter((binding) => outer.every((each, i) => binding[i] === each)).length;
}

/**
 * The branch of a code that the sample lacks, from the branch `any` of a segment; null unless one
 * element of the segment distinguishes its branches.
 */
export function addedBranch(group: SourceNode, code: string): SourceNode | null {
  const any = group.children.find((each) => each.again === true) ?? group;
  const positions = CODE_POSITIONS[group.code] ?? [];
  if (positions.length !== 1 || !any.id.endsWith('[*]') || code === '') {
    return null;
  }
  const head = any.id.slice(0, -'[*]'.length) + conditionOf(group.code, [code]);
  const branch = rewritten(any, any.id, head);
  return { ...branch, kind: 'branch', code, name: '', qualifier: '' };
}

function rewritten(node: SourceNode, from: string, to: string): SourceNode {
  const move = (path: string) => (path.startsWith(from) ? to + path.slice(from.length) : path);
  return {
    ...node,
    id: move(node.id),
    path: node.path === null ? null : move(node.path),
    loops: node.loops.filter((loop) => loop !== from).map(move),
    values: [],
    keys: [],
    bindings: [],
    count: 0,
    again: false,
    children: node.children.map((each) => rewritten(each, from, to)),
  };
}

/** All rows of a tree, in order. */
export function* allRows<N extends { children: N[] }>(tree: readonly N[]): Generator<N> {
  for (const node of tree) {
    yield node;
    yield* allRows(node.children);
  }
}

/** The rows that a path can name, by their paths. */
export function byPath<N extends { path: string | null; children: N[] }>(
  tree: readonly N[],
): Map<string, N> {
  const found = new Map<string, N>();
  for (const node of allRows(tree)) {
    if (node.path !== null && !found.has(node.path)) {
      found.set(node.path, node);
    }
  }
  return found;
}
