/**
 * What the example of the output says of a target: its place among the others, and its JSON type.
 * Rules stand in the order of their targets, since members and columns are written in the order of
 * the rules.
 */

import type { Format, MapState, Rule } from './model';
import { bareTarget, escapeName } from './paths';
import { allRows } from './source';
import { targetTree } from './target';

export type SampleType = 'string' | 'number' | 'boolean' | 'null' | 'mixed';

/** `type`: null in formats that have none. `value`: the first that is not empty. */
export interface TargetFact {
  order: number;
  type: SampleType | null;
  value: string;
}

type Facts = ReadonlyMap<string, TargetFact>;

let last: { format: Format; text: string; facts: Facts } | null = null;

/** What the example says of a target path; undefined if it has no such place. */
export function targetFact(state: MapState, tgt: string): TargetFact | undefined {
  return factsOf(state).get(plain(tgt));
}

/** A path without its lists; what stands in a list that is the whole output begins with a point. */
const plain = (tgt: string) => bareTarget(tgt).replace(/^\./, '');

function factsOf({ target_fmt: format, target_sample: text }: MapState): Facts {
  if (last?.format !== format || last.text !== text) {
    last = { format, text, facts: read(format, text) };
  }
  return last.facts;
}

function read(format: Format, text: string): Facts {
  const facts = new Map<string, TargetFact>();
  if (format === 'x12') {
    return facts; // its segments stand in the order of the dictionary
  }
  if (format === 'json') {
    try {
      addJson(facts, '', JSON.parse(text));
    } catch {
      // The page says that the example cannot be read.
    }
    return facts;
  }
  for (const { path, value } of allRows(targetTree(format, text, [], null))) {
    if (path !== null) {
      facts.set(plain(path), { order: facts.size, type: null, value });
    }
  }
  return facts;
}

function addJson(facts: Map<string, TargetFact>, path: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      addJson(facts, path, item);
    }
    return;
  }
  if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      addJson(facts, (path === '' ? '' : `${path}.`) + escapeName(name), member);
    }
    return;
  }
  addLeaf(facts, path, value);
}

function addLeaf(facts: Map<string, TargetFact>, path: string, value: unknown): void {
  const type = typeOf(value);
  const known = facts.get(path);
  facts.set(path, {
    order: known?.order ?? facts.size,
    type: known === undefined ? type : joined(known.type, type),
    value: known?.value || (value === null ? '' : String(value)),
  });
}

function typeOf(value: unknown): SampleType {
  if (value === null) {
    return 'null';
  }
  if (typeof value === 'number') {
    return 'number';
  }
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function joined(one: SampleType | null, other: SampleType): SampleType | null {
  if (one === 'null' || one === other) {
    return other;
  }
  return other === 'null' ? one : 'mixed';
}

/** The index at which a new rule stands: after the rules of the targets before its own. */
export function placeOf(state: MapState, rules: readonly Rule[], tgt: string): number {
  const own = targetFact(state, tgt)?.order;
  if (own === undefined) {
    return rules.length;
  }
  let before = { order: -1, index: -1 };
  let after = { order: Number.POSITIVE_INFINITY, index: rules.length };
  rules.forEach((rule, index) => {
    const order = targetFact(state, rule.tgt)?.order;
    if (order !== undefined && order <= own && order >= before.order) {
      before = { order, index };
    } else if (order !== undefined && order > own && order < after.order) {
      after = { order, index };
    }
  });
  return before.index >= 0 ? before.index + 1 : after.index;
}
