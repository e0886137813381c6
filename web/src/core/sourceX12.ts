/**
 * The rows of an X12 document: loops and segments as patterns, with a branch for each code that
 * tells segments of one id apart.
 *
 * Theory. A row stands for all instances that one path reaches. So rows are made level by level:
 * what stands in any instance of a row is grouped by segment id, and each group becomes a step of
 * a path. A step is counted by `[*]` if it is an item of a list or repeats in the sample; else the
 * first one is meant, as in the server's suggestions. `:` is written only where such a segment
 * stands further inside as well.
 */

import type { InspectNode, SourceNode } from './model';
import {
  emptyGroup,
  type Group,
  groupsOf,
  InnerSegments,
  type Instance,
  levelCounts,
  type Occurrence,
  occurrenceOf,
  type Reach,
  repeats,
} from './occurrences';
import { CODE_POSITIONS, codesOf, conditionOf, LISTS } from './segmentCodes';
import { elementRows } from './sourceElements';
import { type Body, deepTags, findUse, type SegmentUse, tagsOf } from './sourceSchema';

const MAX_BRANCHES = 60;
const LEVEL = 'HL';

/** The rows of a set. `isPlaced`: whether a definition says where its loops end. */
export function setRows(nodes: InspectNode[], body: Body | null, isPlaced: boolean): SourceNode[] {
  const at = { segment: SET, inner: nodes, isLoop: true, name: '' };
  const use = body === null ? null : { ...SET_USE, inner: body };
  const instances = [{ at, binding: [] }];
  return new Rows(nodes, isPlaced).below({ head: '', tag: '', loops: [], instances, use });
}

const SET: InspectNode = {
  path: '',
  code: '',
  kind: 'segment',
  name: '',
  type: null,
  value: null,
  required: false,
  count: 1,
  qualifier: null,
  children: [],
};

const SET_USE: Omit<SegmentUse, 'inner'> = {
  tag: '',
  label: '',
  required: true,
  repeats: false,
  isLoop: true,
  codes: null,
  elements: [],
};

/** A step of a path: to the segments with these codes, all of them if `isMany`, else the first. */
interface Step {
  codes: string[];
  isMany: boolean;
}

class Rows {
  readonly #inner = new InnerSegments();
  readonly #levels: Map<string, number>;
  readonly #isPlaced: boolean;

  constructor(nodes: InspectNode[], isPlaced: boolean) {
    this.#levels = levelCounts(nodes);
    this.#isPlaced = isPlaced;
  }

  /** The rows of what stands in the instances of a row. */
  below(reach: Reach): SourceNode[] {
    const body = reach.use?.inner ?? null;
    const groups = groupsOf(reach);
    for (const tag of tagsOf(body)) {
      const use = findUse(body, tag);
      // Levels that the sample lacks are added by their code.
      if (use !== null && tag !== LEVEL && !groups.has(tag)) {
        groups.set(tag, emptyGroup(use, reach.instances.length));
      }
    }
    return ordered(groups, tagsOf(body)).flatMap((group) => this.#rows(reach, group));
  }

  #rows(reach: Reach, group: Group): SourceNode[] {
    if (reach.head === '' && !this.#isPlaced && this.#isInside(reach, group.tag, '')) {
      // Nothing says where loops end: only its key names a segment for certain.
      return group.byInstance.flat().map((each) => this.#alone(group, each));
    }
    if (CODE_POSITIONS[group.tag] !== undefined) {
      return [this.#coded(reach, group)];
    }
    const isList =
      group.total > 0
        ? repeats(group.byInstance)
        : (findUse(reach.use?.inner ?? null, group.tag)?.repeats ?? false);
    const isMany = isList || (group.isLoop && LISTS.has(group.tag));
    return [this.#row(this.#step(reach, group, { codes: [], isMany }), group)];
  }

  #alone(group: Group, at: Occurrence): SourceNode {
    const instances = [{ at, binding: [] }];
    return this.#row(
      { head: at.segment.path, tag: group.tag, loops: [], instances, use: null },
      { ...group, byInstance: [[at]], total: 1 },
    );
  }

  /** A segment with a branch for each of its codes, and one for all of them. */
  #coded(reach: Reach, group: Group): SourceNode {
    const any = this.#step(reach, group, { codes: [], isMany: true });
    const found = codesIn(group);
    if (found.length === 0) {
      return this.#row(any, group);
    }
    const branches = found.map((codes) => this.#branch(reach, group, codes));
    if (group.tag !== LEVEL) {
      const all = shownAgain(this.#row(any, group));
      branches.push({ ...all, kind: 'branch', code: 'any', name: 'Any' });
    }
    return {
      ...rowOf(any, group),
      id: `group:${any.head}`,
      loops: reach.loops,
      bindings: [],
      count: group.total,
      children: branches,
    };
  }

  #branch(reach: Reach, group: Group, codes: string[]): SourceNode {
    const wanted = codes.join('\n');
    const byInstance = group.byInstance.map((all) =>
      all.filter(({ segment }) => codesOf(segment)?.join('\n') === wanted),
    );
    const chosen = { ...group, byInstance, total: byInstance.flat().length };
    const isMany = (group.tag === LEVEL && reach.head !== '') || repeats(byInstance);
    const first = byInstance.flat()[0];
    const meaning = first?.segment.qualifier ?? '';
    return {
      ...this.#row(this.#step(reach, chosen, { codes, isMany }), chosen),
      kind: 'branch',
      code: codes.join(' '),
      name: meaning === '' ? (first?.name ?? '') : capital(meaning),
      qualifier: meaning,
    };
  }

  /** Go one step further: to the occurrences of a group. */
  #step(reach: Reach, group: Group, { codes, isMany }: Step): Reach {
    const { tag } = group;
    const condition = codes.length === 0 ? '' : conditionOf(tag, codes);
    const before = this.#before(reach, group, codes, condition);
    const head = before + tag + condition + (isMany ? '[*]' : '');
    const instances = reach.instances.flatMap(({ binding }, at): Instance[] => {
      const found = group.byInstance[at] ?? [];
      return isMany
        ? found.map((each, ordinal) => ({ at: each, binding: [...binding, ordinal] }))
        : [{ at: found[0] ?? null, binding }];
    });
    const loops = isMany ? [...reach.loops, head] : reach.loops;
    const use = findUse(reach.use?.inner ?? null, tag, codes[0]);
    return { head, tag, loops, instances, use };
  }

  /** The path up to a step, and what joins them. */
  #before(reach: Reach, group: Group, codes: string[], condition: string): string {
    if (reach.head === '' && group.tag === LEVEL) {
      return '';
    }
    if (group.tag === LEVEL) {
      // The one level around all others is left out where those in it are named for certain.
      const isAlone = reach.loops.length === 0 && group.total === this.#levels.get(codes[0] ?? '');
      return isAlone ? '' : `${reach.head}>`;
    }
    if (this.#isInside(reach, group.tag, condition)) {
      return `${reach.head}:`;
    }
    return reach.head === '' ? '' : `${reach.head}>`;
  }

  /** Whether such segments stand in loops inside those of a row as well. */
  #isInside(reach: Reach, tag: string, condition: string): boolean {
    const withLevels = reach.tag !== LEVEL;
    const inner = reach.instances.flatMap(({ at }) => (at === null ? [] : [at.inner]));
    if (inner.some((nodes) => this.#inner.below(nodes, withLevels).has(tag + condition))) {
      return true;
    }
    const body = reach.use?.inner ?? null;
    const isThere = () => inner.some((nodes) => nodes.some((node) => tagOf(node) === tag));
    return body !== null && deepTags(body).has(tag) && !isThere();
  }

  #row(reach: Reach, group: Group): SourceNode {
    const { head, tag, loops, instances, use } = reach;
    const holders = instances.map(({ at, binding }) => ({ node: at?.segment ?? null, binding }));
    const elements = elementRows({ head, tag, loops, holders, uses: use?.elements ?? [] });
    return { ...rowOf(reach, group), children: [...elements, ...this.below(reach)] };
  }
}

function shownAgain(node: SourceNode): SourceNode {
  return { ...node, again: true, children: node.children.map(shownAgain) };
}

/** A row without what stands in it. */
function rowOf({ head, loops, instances }: Reach, group: Group): SourceNode {
  return {
    id: head,
    kind: group.isLoop ? 'loop' : 'segment',
    badge: group.isLoop ? 'loop' : 'seg',
    code: group.tag,
    name: group.name,
    path: null,
    loops,
    values: [],
    keys: [],
    bindings: instances.map(({ binding }) => binding),
    count: instances.filter(({ at }) => at !== null).length,
    required: group.required,
    envelope: false,
    qualifier: '',
    children: [],
  };
}

/** Groups in the order of a schema; what it does not know after the rest. */
function ordered(groups: ReadonlyMap<string, Group>, tags: readonly string[]): Group[] {
  const known = tags.flatMap((tag) => groups.get(tag) ?? []);
  const others = [...groups.values()].filter(({ tag }) => !tags.includes(tag));
  return [...known, ...others];
}

/** The codes that occur, each once. */
function codesIn(group: Group): string[][] {
  const found = new Map<string, string[]>();
  for (const { segment } of group.byInstance.flat()) {
    const codes = codesOf(segment);
    if (codes !== null && found.size < MAX_BRANCHES) {
      found.set(codes.join('\n'), codes);
    }
  }
  return [...found.values()];
}

const tagOf = (node: InspectNode) => occurrenceOf(node).segment.code;

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
