/** The rows of the elements of segments: repetitions become a loop, composites have parts. */

import { badgeOfX12 } from './badges';
import type { InspectNode, SourceKind, SourceNode } from './model';
import type { ElementUse } from './sourceSchema';

/** Where a value may stand: null if the instance has none there. */
interface Cell {
  node: InspectNode | null;
  repetition: number;
  binding: number[];
}

/** A segment, or an element with parts, of one instance. */
export interface Holder {
  node: InspectNode | null;
  binding: number[];
}

/** What rows are made below. `head`: the path to it; `tag`: what codes begin with. */
export interface Whole {
  head: string;
  tag: string;
  loops: string[];
  holders: Holder[];
  uses: ElementUse[];
}

/** The rows of the elements of a segment in all its instances. */
export function elementRows(whole: Whole): SourceNode[] {
  return rowsOf(whole, 'element');
}

const TAIL = /^\.([0-9]{2,3})(?:\[([0-9]+)\])?$/;

function rowsOf(whole: Whole, kind: SourceKind): SourceNode[] {
  const columns = columnsOf(whole.holders);
  const uses = new Map(whole.uses.map((use) => [use.position, use]));
  const positions = [...new Set([...columns.keys(), ...uses.keys()])].sort((a, b) => a - b);
  return positions.map((position) =>
    rowOf(whole, kind, position, columns.get(position) ?? [], uses.get(position)),
  );
}

/** The cells by position; a holder that has none there has an empty one. */
function columnsOf(holders: readonly Holder[]): Map<number, Cell[][]> {
  const columns = new Map<number, Cell[][]>();
  holders.forEach(({ node, binding }, at) => {
    for (const child of node?.children ?? []) {
      const match = TAIL.exec(child.path.slice(node?.path.length ?? 0));
      if (match !== null) {
        const position = Number(match[1]);
        const column = columns.get(position) ?? holders.map((): Cell[] => []);
        columns.set(position, column);
        column[at]?.push({ node: child, repetition: Number(match[2] ?? 1), binding });
      }
    }
  });
  return columns;
}

function rowOf(
  whole: Whole,
  kind: SourceKind,
  position: number,
  column: Cell[][],
  use: ElementUse | undefined,
): SourceNode {
  const isMany = column.some((each) => each.some((cell) => cell.repetition > 1));
  const digits = String(position).padStart(2, '0');
  const path = `${whole.head}.${digits}${isMany ? '[*]' : ''}`;
  const cells = isMany
    ? repeated(column)
    : whole.holders.map((each, at) => single(each, column[at]));
  const loops = isMany ? [...whole.loops, path] : whole.loops;
  const code = whole.tag + (kind === 'component' ? `-${digits}` : digits);
  const uses = use?.components ?? [];
  const parts = { head: path, tag: code, loops, holders: components(cells, uses), uses };
  return {
    id: path,
    kind,
    code,
    path,
    loops,
    values: cells.map(({ node }) => node?.value ?? ''),
    keys: cells.map(({ node }) => node?.path ?? ''),
    bindings: cells.map(({ binding }) => binding),
    envelope: false,
    ...described(
      cells.flatMap(({ node }) => node ?? []),
      use ?? UNKNOWN,
    ),
    children: kind === 'element' ? rowsOf(parts, 'component') : [],
  };
}

const UNKNOWN: ElementUse = {
  position: 0,
  type: '',
  label: '',
  required: false,
  components: [],
};

type Description = Pick<SourceNode, 'badge' | 'name' | 'count' | 'required' | 'qualifier'>;

/** What the sample tells of an element, else the schema. */
function described(nodes: readonly InspectNode[], use: ElementUse): Description {
  const first = nodes.find((node) => node.type !== null) ?? nodes[0];
  return {
    badge: badgeOfX12(first?.type ?? use.type),
    name: first?.name || use.label,
    count: nodes.length,
    required: use.required || nodes.some((node) => node.required),
    qualifier: sharedMeaning(nodes),
  };
}

function single({ binding }: Holder, cells: Cell[] | undefined): Cell {
  return cells?.[0] ?? { node: null, repetition: 1, binding };
}

// Repetitions that are empty are no nodes, but they count.
function repeated(column: Cell[][]): Cell[] {
  return column.flatMap((cells) =>
    Array.from({ length: cells.at(-1)?.repetition ?? 0 }, (_, ordinal) => {
      const binding = [...(cells[0]?.binding ?? []), ordinal];
      const node = cells.find((cell) => cell.repetition === ordinal + 1)?.node ?? null;
      return { node, repetition: ordinal + 1, binding };
    }),
  );
}

/** Holders with parts; an element without any is its own first part where others have parts. */
function components(holders: readonly Holder[], uses: readonly ElementUse[]): Holder[] {
  const isSimple = !holders.some(({ node }) => node !== null && node.children.length > 0);
  if (isSimple && uses.length === 0) {
    return holders.map(({ binding }) => ({ node: null, binding }));
  }
  return holders.map(({ node, binding }) => {
    if (node === null || node.children.length > 0) {
      return { node, binding };
    }
    const only = { ...node, path: `${node.path}.01` };
    return { node: { ...node, children: [only] }, binding };
  });
}

/** What the codes of all instances mean, if that is the same. */
function sharedMeaning(nodes: readonly InspectNode[]): string {
  const meanings = new Set(nodes.map((node) => node.qualifier ?? ''));
  const [only = ''] = meanings;
  return meanings.size === 1 ? only : '';
}
