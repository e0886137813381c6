/** What a schema says may stand in a set: segments and loops by the body they stand in. */

import type { Schema, SchemaPosition } from './model';

/** An element of a segment, or a component of one. `position`: from 1. */
export interface ElementUse {
  position: number;
  type: string;
  label: string;
  required: boolean;
  components: ElementUse[];
}

/** A segment in a body. `codes`: what tells it from others of its id; null: nothing does. */
export interface SegmentUse {
  tag: string;
  label: string;
  required: boolean;
  repeats: boolean;
  isLoop: boolean;
  codes: string[] | null;
  elements: ElementUse[];
  inner: Body;
}

/** Segments of a set or a loop in their order; several may have one id. */
export interface Body {
  uses: SegmentUse[];
}

const NOT_USED = 'N';

/** Read the positions of a schema as nested bodies. */
export function bodyOf(schema: Schema): Body {
  const root: Body = { uses: [] };
  const bodies = new Map<string, Body>([['', root]]);
  for (const position of schema.positions.filter((each) => each.requirement !== NOT_USED)) {
    const steps = position.path.split('/').slice(0, -1);
    const use = segmentUse(position);
    if (use.isLoop) {
      (bodies.get(steps.slice(0, -1).join('/')) ?? root).uses.push(use);
      bodies.set(steps.join('/'), use.inner);
    } else {
      (bodies.get(steps.join('/')) ?? root).uses.push(use);
    }
  }
  return root;
}

/** The uses of an id in a body that a code allows, joined to one; null if there is none. */
export function findUse(body: Body | null, tag: string, code = ''): SegmentUse | null {
  const uses = (body?.uses ?? []).filter((use) => use.tag === tag);
  const fitting = uses.filter((use) => code === '' || (use.codes?.includes(code) ?? true));
  const [first, ...others] = fitting.length > 0 ? fitting : uses;
  if (first === undefined || others.length === 0) {
    return first ?? null;
  }
  return {
    ...first,
    repeats: true,
    isLoop: uses.some((use) => use.isLoop),
    inner: { uses: [first, ...others].flatMap((use) => use.inner.uses) },
  };
}

/** The ids of a body, each once, in order. */
export function tagsOf(body: Body | null): string[] {
  return [...new Set((body?.uses ?? []).map((use) => use.tag))];
}

const deep = new WeakMap<Body, Set<string>>();

/** The ids that stand in loops inside a body. */
export function deepTags(body: Body): Set<string> {
  const known = deep.get(body);
  if (known !== undefined) {
    return known;
  }
  const found = new Set<string>();
  for (const use of body.uses) {
    for (const tag of [...tagsOf(use.inner), ...deepTags(use.inner)]) {
      found.add(tag);
    }
  }
  deep.set(body, found);
  return found;
}

/** A label of the dictionary as people read it: `Purchase order number`. */
export function labelInWords(label: string): string {
  const text = label.replaceAll('_', ' ').trim();
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function segmentUse(position: SchemaPosition): SegmentUse {
  const loop = position.loop === undefined ? null : position.loop;
  const most = loop === null ? position.max : numberIn(loop, 'max', 0);
  return {
    tag: position.segment,
    label: labelInWords(position.label ?? ''),
    required: isRequired(loop === null ? position.requirement : textIn(loop, 'requirement')),
    repeats: most !== 1,
    isLoop: loop !== null,
    codes: position.when === undefined ? null : textsIn(position.when, 'codes'),
    elements: position.elements.map(elementUse).filter((each) => each !== null),
    inner: { uses: [] },
  };
}

function elementUse(element: object, at: number): ElementUse | null {
  if (textIn(element, 'requirement') === NOT_USED) {
    return null;
  }
  const components = listIn(element, 'components').map(elementUse);
  return {
    position: numberIn(element, 'position', at + 1),
    type: textIn(element, 'type'),
    label: labelInWords(textIn(element, 'label')),
    required: isRequired(textIn(element, 'requirement')),
    components: components.filter((each) => each !== null),
  };
}

const isRequired = (requirement: string) => requirement === 'M' || requirement === 'R';

function memberOf(holder: object, name: string): unknown {
  return Object.entries(holder).find(([key]) => key === name)?.[1];
}

function textIn(holder: object, name: string): string {
  const value = memberOf(holder, name);
  return typeof value === 'string' ? value : '';
}

function numberIn(holder: object, name: string, otherwise: number): number {
  const value = memberOf(holder, name);
  return typeof value === 'number' ? value : otherwise;
}

function listIn(holder: object, name: string): object[] {
  const value = memberOf(holder, name);
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item): item is object => typeof item === 'object' && item !== null);
}

function textsIn(holder: object, name: string): string[] {
  const value = memberOf(holder, name);
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item): item is string => typeof item === 'string');
}
