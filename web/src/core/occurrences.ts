/** The segments of an inspected X12 document, each with the loop that it begins. */

import type { InspectNode } from './model';
import { codesOf, conditionOf } from './segmentCodes';
import type { SegmentUse } from './sourceSchema';

/** A segment, and what else stands in the loop it begins. `name`: of the loop, if it begins one. */
export interface Occurrence {
  segment: InspectNode;
  inner: InspectNode[];
  isLoop: boolean;
  name: string;
}

/** An instance of a row; `at`: null if the instance around it has no such segment. */
export interface Instance {
  at: Occurrence | null;
  binding: number[];
}

/**
 * All instances of a row, and the path to them. `head`: `''` of the set itself. `loops`: the
 * wildcards of it. `use`: what a schema says of the segment.
 */
export interface Reach {
  head: string;
  tag: string;
  loops: string[];
  instances: Instance[];
  use: SegmentUse | null;
}

/** The occurrences of one segment id, by the instances of the row they stand in. */
export interface Group {
  tag: string;
  name: string;
  isLoop: boolean;
  required: boolean;
  total: number;
  byInstance: Occurrence[][];
}

/** What a loop or a segment of the tree is. */
export function occurrenceOf(node: InspectNode): Occurrence {
  const [first, ...inner] = node.children;
  if (node.kind !== 'loop' || first === undefined) {
    return { segment: node, inner: [], isLoop: false, name: node.name };
  }
  return { segment: first, inner, isLoop: true, name: node.name };
}

/** The occurrences that stand in the instances of a row, by segment id in order. */
export function groupsOf(reach: Reach): Map<string, Group> {
  const groups = new Map<string, Group>();
  reach.instances.forEach(({ at }, index) => {
    for (const node of at?.inner ?? []) {
      const occurrence = occurrenceOf(node);
      const tag = occurrence.segment.code;
      const group = groups.get(tag) ?? startedGroup(occurrence, reach.instances.length);
      groups.set(tag, group);
      group.total += 1;
      group.isLoop ||= occurrence.isLoop;
      group.required ||= node.required;
      group.byInstance[index]?.push(occurrence);
    }
  });
  return groups;
}

function startedGroup({ segment, isLoop, name }: Occurrence, size: number): Group {
  const byInstance = Array.from({ length: size }, (): Occurrence[] => []);
  return { tag: segment.code, name, isLoop, required: false, total: 0, byInstance };
}

/** A group of a segment that the sample has not. */
export function emptyGroup(use: SegmentUse, size: number): Group {
  const byInstance = Array.from({ length: size }, (): Occurrence[] => []);
  const { tag, label, isLoop, required } = use;
  return { tag, name: label, isLoop, required, total: 0, byInstance };
}

/** Whether an instance has several. */
export function repeats(byInstance: readonly Occurrence[][]): boolean {
  return byInstance.some((each) => each.length > 1);
}

/** The segments inside loops, by id alone and with their codes: `REF` and `REF[01=DP]`. */
export class InnerSegments {
  readonly #known = new Map<InspectNode, Set<string>>();
  readonly #below = new Map<InspectNode[], Set<string>>();

  /** What stands in the loops among nodes, rather than directly there. */
  below(nodes: InspectNode[], withLevels: boolean): Set<string> {
    const known = this.#below.get(nodes);
    if (known !== undefined) {
      return known;
    }
    const found = new Set<string>();
    for (const node of nodes) {
      const { segment, inner, isLoop } = occurrenceOf(node);
      if (isLoop && (withLevels || segment.code !== 'HL')) {
        for (const each of inner) {
          addAll(found, this.#all(each));
        }
      }
    }
    this.#below.set(nodes, found);
    return found;
  }

  #all(node: InspectNode): Set<string> {
    const known = this.#known.get(node);
    if (known !== undefined) {
      return known;
    }
    const { segment, inner } = occurrenceOf(node);
    const codes = codesOf(segment);
    const found = new Set([segment.code]);
    if (codes !== null) {
      found.add(segment.code + conditionOf(segment.code, codes));
    }
    for (const each of inner) {
      addAll(found, this.#all(each));
    }
    this.#known.set(node, found);
    return found;
  }
}

function addAll(found: Set<string>, others: ReadonlySet<string>): void {
  for (const each of others) {
    found.add(each);
  }
}

/** How many levels (HL) of each code there are below nodes. */
export function levelCounts(nodes: readonly InspectNode[]): Map<string, number> {
  const counts = new Map<string, number>();
  const waiting = [nodes];
  for (let some = waiting.pop(); some !== undefined; some = waiting.pop()) {
    for (const node of some.filter((each) => each.kind === 'loop')) {
      const { segment, inner } = occurrenceOf(node);
      const level = segment.code === 'HL' ? codesOf(segment)?.[0] : undefined;
      if (level !== undefined) {
        counts.set(level, (counts.get(level) ?? 0) + 1);
      }
      waiting.push(inner);
    }
  }
  return counts;
}
