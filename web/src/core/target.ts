/**
 * The rows of the target: of a sample, of X12 also of a schema, and what rules write besides.
 * Items of an array are one row, `items[*].qty`.
 */

import type { Badge, Format, Rule, Schema, SourceNode, TargetKind, TargetNode } from './model';
import {
  bareTarget,
  fitsTarget,
  lastStep,
  loopsOf,
  pieces,
  separatorsOf,
  targetPattern,
  unescapeName,
} from './paths';
import { csvTree, jsonTree, type SampleTree, xmlTree } from './sampleTrees';
import { LISTS } from './segmentCodes';
import { jsonRows, xmlRows } from './sourceFields';
import { type Body, bodyOf, type ElementUse, type SegmentUse } from './sourceSchema';

/** The rows of a target. A sample that cannot be read gives no rows; see `targetSampleFault`. */
export function targetTree(
  format: Format,
  targetSample: string,
  rules: readonly Rule[],
  schema: Schema | null,
): TargetNode[] {
  const roots =
    format === 'x12' && schema !== null
      ? bodyRows(bodyOf(schema), '', true)
      : sampleRows(format, targetSample);
  return new Growth(format, roots).with(rules);
}

/** Why a target sample cannot be read; null if it can, or there is none. */
export function targetSampleFault(format: Format, targetSample: string): string | null {
  const read = READERS[format];
  if (read === null || targetSample.trim() === '') {
    return null;
  }
  const sample = read(targetSample);
  return 'fault' in sample ? sample.fault : null;
}

const READERS: Readonly<Record<Format, ((text: string) => SampleTree) | null>> = {
  x12: null,
  json: jsonTree,
  xml: xmlTree,
  csv: csvTree,
};

function sampleRows(format: Format, text: string): TargetNode[] {
  const sample = READERS[format]?.(text);
  if (sample === undefined || 'fault' in sample || text.trim() === '') {
    return [];
  }
  if (format === 'csv') {
    return sample.tree.map(({ path, code, value }) => ({
      ...leaf(path, 'column', 'str'),
      name: code,
      value: value ?? '',
    }));
  }
  return format === 'json' ? jsonTargets(sample.tree) : xmlRows(sample.tree).map(xmlTarget);
}

function jsonTargets(tree: Parameters<typeof jsonRows>[0]): TargetNode[] {
  return jsonRows(tree).map((row) => fieldTarget(row, row.kind === 'array' ? 'array' : 'value'));
}

function leaf(path: string, kind: TargetKind, badge: Badge): TargetNode {
  const arrays = loopsOf(path).length;
  const name = lastStep(path);
  return {
    id: path,
    kind,
    badge,
    code: '',
    name,
    path,
    arrays,
    required: false,
    value: '',
    children: [],
  };
}

function fieldTarget(row: SourceNode, plain: TargetKind): TargetNode {
  const kind: TargetKind = row.kind === 'array' || row.kind === 'object' ? row.kind : plain;
  const isValue = row.path !== null && row.children.length === 0;
  const id = kind === 'array' ? (row.loops.at(-1) ?? row.id) : row.id;
  return {
    ...leaf(id, kind, row.badge),
    name: row.code,
    path: isValue ? row.path : null,
    value: row.values.find((value) => value !== '') ?? '',
    children: row.children.map((child) => fieldTarget(child, 'value')),
  };
}

function xmlTarget(row: SourceNode): TargetNode {
  const isMany = row.loops.at(-1) === row.id;
  const kind: TargetKind = isMany ? 'array' : row.kind === 'attribute' ? 'attribute' : 'element';
  return {
    ...leaf(row.id, kind, row.badge),
    name: row.code,
    path: row.path,
    value: row.values.find((value) => value !== '') ?? '',
    children: row.children.map(xmlTarget),
  };
}

// ---- X12 ---------------------------------------------------------------------------------------

/** The rows of a body. `isNeeded`: everything around it is required. */
function bodyRows(body: Body, above: string, isNeeded: boolean): TargetNode[] {
  const seen = new Set<string>();
  return body.uses.flatMap((use) => {
    const isMany = use.isLoop && LISTS.has(use.tag);
    const head = `${above === '' ? '' : `${above}>`}${use.tag}${isMany ? '[*]' : ''}`;
    if (seen.has(head)) {
      return [];
    }
    seen.add(head);
    return [segmentRow(use, head, isNeeded && use.required)];
  });
}

function segmentRow(use: SegmentUse, head: string, isNeeded: boolean): TargetNode {
  const kind = use.isLoop ? 'loop' : 'segment';
  const elements = use.elements.map((each) => elementRow(each, head, use.tag, isNeeded));
  return {
    ...leaf(head, kind, use.isLoop ? 'loop' : 'seg'),
    code: use.tag,
    name: use.label,
    path: null,
    required: isNeeded,
    children: [...elements, ...bodyRows(use.inner, head, isNeeded)],
  };
}

function elementRow(use: ElementUse, head: string, tag: string, isNeeded: boolean): TargetNode {
  const digits = String(use.position).padStart(2, '0');
  const path = `${head}.${digits}`;
  const required = isNeeded && use.required;
  const children = use.components.map((each) =>
    elementRow(each, path, `${tag}${digits}-`, required),
  );
  const badge = use.type === 'DT' ? 'date' : /^(?:R|N[0-9]?)$/.test(use.type) ? 'num' : 'str';
  return {
    ...leaf(path, 'element', badge),
    code: tag + digits,
    name: use.label,
    required,
    children,
  };
}

// ---- what rules write --------------------------------------------------------------------------

const RULE_BADGES: ReadonlyMap<string, Badge> = new Map([
  ['number', 'num'],
  ['integer', 'num'],
  ['boolean', 'bool'],
]);

/** A tree to which the targets of rules are added; the nodes given are its own. */
class Growth {
  readonly #byId = new Map<string, TargetNode>();
  readonly #byBare = new Map<string, TargetNode[]>();

  constructor(
    private readonly format: Format,
    private readonly roots: TargetNode[],
  ) {
    const waiting = [...roots];
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      this.#note(each);
      waiting.push(...each.children);
    }
  }

  with(rules: readonly Rule[]): TargetNode[] {
    for (const rule of rules) {
      if (rule.tgt !== '' && !this.#has(rule.tgt)) {
        this.#add(rule);
      }
    }
    return this.roots;
  }

  #note(row: TargetNode): void {
    this.#byId.set(row.id, row);
    if (row.path !== null) {
      const bare = this.#bare(row.path);
      this.#byBare.set(bare, [...(this.#byBare.get(bare) ?? []), row]);
    }
  }

  #bare(path: string): string {
    return this.format === 'csv' ? unescapeName(path) : bareTarget(path);
  }

  #has(tgt: string): boolean {
    const rows = this.#byBare.get(this.#bare(tgt)) ?? [];
    return this.format === 'csv'
      ? rows.length > 0
      : rows.some((row) => row.path !== null && fitsTarget(row.path, tgt));
  }

  #add(rule: Rule): void {
    const path = this.format === 'json' ? targetPattern(rule.tgt) : rule.tgt;
    const known = this.#byId.get(path);
    if (known !== undefined) {
      known.path = path;
      this.#note(known);
      return;
    }
    let siblings = this.roots;
    for (const id of this.format === 'csv' ? [] : ancestorsOf(path)) {
      const parent = this.#byId.get(id) ?? this.#grown(siblings, container(this.format, id));
      siblings = parent.children;
    }
    this.#grown(
      siblings,
      leaf(path, LEAVES[this.format](path), RULE_BADGES.get(rule.type ?? '') ?? 'str'),
    );
  }

  #grown(siblings: TargetNode[], row: TargetNode): TargetNode {
    siblings.push(row);
    this.#note(row);
    return row;
  }
}

/** A row around others that no sample has. */
function container(format: Format, id: string): TargetNode {
  const kind = id.includes('.') && format === 'x12' ? 'element' : CONTAINERS[format](id);
  return { ...leaf(id, kind, KIND_BADGES[kind] ?? 'str'), path: null };
}

const CONTAINERS: Readonly<Record<Format, (id: string) => TargetKind>> = {
  x12: (id) => (id.endsWith('[*]') ? 'loop' : 'segment'),
  json: (id) => (id.endsWith('[*]') ? 'array' : 'object'),
  xml: (id) => (id.endsWith('[*]') ? 'array' : 'element'),
  csv: () => 'column',
};

const KIND_BADGES: Readonly<Partial<Record<TargetKind, Badge>>> = {
  loop: 'loop',
  segment: 'seg',
  array: 'arr',
  object: 'obj',
  element: 'obj',
};

const LEAVES: Readonly<Record<Format, (path: string) => TargetKind>> = {
  x12: () => 'element',
  json: (path) => (path.endsWith('[*]') ? 'array' : 'value'),
  xml: (path) => (path.includes('.@') ? 'attribute' : 'element'),
  csv: () => 'column',
};

/** The rows around a target, outermost first: `items[*]` of `items[*].qty`. */
export function ancestorsOf(path: string): string[] {
  return pieces(path).flatMap(({ kind, text, start }) => {
    const ends = kind === 'text' ? separatorsOf(text).map((at) => start + at) : [start];
    const isNested = kind === 'text' || path[start - 1] === ']';
    return isNested ? ends.filter((at) => at > 0).map((at) => path.slice(0, at)) : [];
  });
}
