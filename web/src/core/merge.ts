/**
 * Joining two changes of one map: rules, lookup tables and tests by their names, everything else
 * member by member. What both changed, each in its way, is a conflict that somebody decides.
 */

import { isAlike, replaced, targetOf, threeWay } from './diff';
import type { Lookup, MapState, MapTest } from './model';
import { counted } from './treeWords';

/** `mine`, `theirs`: both sides in words. `takeTheirs` puts theirs into the merged map. */
export interface MapConflict {
  kind: string;
  name: string;
  mine: string;
  theirs: string;
  takeTheirs: (merged: MapState) => MapState;
}

/** `merged`: what follows without conflict; of a conflict it has mine. */
export interface MapMerge {
  merged: MapState;
  conflicts: MapConflict[];
}

interface Sides {
  base: MapState;
  mine: MapState;
  theirs: MapState;
}

/** One part of a map, and how it is merged and its changes are described. */
interface Part {
  join: (sides: Sides, into: MapState) => MapMerge;
  changes: (before: MapState, after: MapState) => string | null;
}

interface List<Item> {
  kind: string;
  nameOf: (item: Item) => string;
  read: (state: MapState) => Item[];
  write: (state: MapState, items: Item[]) => MapState;
}

function listPart<Item extends object>({ kind, nameOf, read, write }: List<Item>): Part {
  return {
    join: ({ base, mine, theirs }, into) => {
      const [old, own, other] = [read(base), read(mine), read(theirs)];
      // Where only one side changed the list, its order counts as well.
      if (isAlike(old, own)) return { merged: write(into, other), conflicts: [] };
      if (isAlike(old, other)) return { merged: write(into, own), conflicts: [] };
      const { merged, conflicts } = threeWay(old, own, other, nameOf);
      return {
        merged: write(into, isAlike(merged, other) ? other : merged),
        conflicts: conflicts.map(({ name, mine: ours, theirs: others }) => ({
          kind,
          name,
          ...inWords(listText(ours), listText(others)),
          takeTheirs: (state) => write(state, replaced(read(state), name, others, nameOf)),
        })),
      };
    },
    changes: (before, after) => {
      const [one, other] = [read(before), read(after)];
      const of = (items: Item[], name: string) => items.filter((item) => nameOf(item) === name);
      const names = [...new Set([...one, ...other].map(nameOf))];
      const count = names.filter((name) => !isAlike(of(one, name), of(other, name))).length;
      return count === 0 ? null : counted(count, kind);
    },
  };
}

type Member = Exclude<keyof MapState, 'field_map' | 'lookups' | 'tests' | 'rejected'>;

function memberPart(member: Member, name: string): Part {
  const isSame = (one: MapState, other: MapState) => text(one[member]) === text(other[member]);
  const from = (state: MapState, side: MapState) => ({ ...state, [member]: side[member] });
  return {
    join: ({ base, mine, theirs }, into) => {
      if (isSame(base, mine)) return { merged: from(into, theirs), conflicts: [] };
      const merged = from(into, mine);
      if (isSame(base, theirs) || isSame(mine, theirs)) return { merged, conflicts: [] };
      const words = inWords(text(mine[member]), text(theirs[member]));
      const takeTheirs = (state: MapState) => from(state, theirs);
      return { merged, conflicts: [{ kind: 'setting', name, ...words, takeTheirs }] };
    },
    changes: (before, after) => (isSame(before, after) ? null : `the ${name}`),
  };
}

const PARTS: readonly Part[] = [
  listPart({
    kind: 'rule',
    nameOf: targetOf,
    read: (state) => state.field_map,
    write: (state, field_map) => ({ ...state, field_map }),
  }),
  listPart<Lookup>({
    kind: 'lookup table',
    nameOf: ({ name }) => name,
    read: (state) => state.lookups,
    write: (state, lookups) => ({ ...state, lookups }),
  }),
  listPart<MapTest>({
    kind: 'test',
    nameOf: ({ name }) => name,
    read: (state) => state.tests,
    write: (state, tests) => ({ ...state, tests }),
  }),
  memberPart('name', 'name'),
  memberPart('description', 'description'),
  memberPart('source_fmt', 'source format'),
  memberPart('target_fmt', 'target format'),
  memberPart('tx_set', 'transaction set'),
  memberPart('direction', 'direction'),
  memberPart('sample', 'sample document'),
  memberPart('target_sample', 'example of the output'),
];

/** Join what `mine` and `theirs` made of `base`; refused suggestions are those of both. */
export function mergeMaps(base: MapState, mine: MapState, theirs: MapState): MapMerge {
  const rejected = [...new Set([...mine.rejected, ...theirs.rejected])];
  let merged: MapState = { ...mine, rejected };
  const conflicts: MapConflict[] = [];
  for (const part of PARTS) {
    const joined = part.join({ base, mine, theirs }, merged);
    merged = joined.merged;
    conflicts.push(...joined.conflicts);
  }
  return { merged, conflicts };
}

/** What differs, counted: `2 rules`, `1 test`, `the name`. */
export function mapChanges(before: MapState, after: MapState): string[] {
  return PARTS.flatMap((part) => part.changes(before, after) ?? []);
}

/** What is in conflict, counted: `2 rules`, `1 test`, `the name`. */
export function conflictWords(conflicts: readonly MapConflict[]): string[] {
  const kinds = [...new Set(conflicts.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const those = conflicts.filter((each) => each.kind === kind);
    return kind === 'setting'
      ? those.map(({ name }) => `the ${name}`)
      : [counted(those.length, kind)];
  });
}

/** A list in words: `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

function text(value: object | string | null): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
}

function listText(items: readonly object[]): string {
  return items.map((item) => JSON.stringify(item)).join(' ');
}

const MAX_CHARS = 200;
const CHARS_BEFORE = 40;

/** Both sides in words. Of long ones only where they begin to differ, for documents are long. */
function inWords(mine: string, theirs: string): { mine: string; theirs: string } {
  const from = Math.max(0, firstDifference(mine, theirs) - CHARS_BEFORE);
  const isLong = Math.max(mine.length, theirs.length) > MAX_CHARS;
  const shown = (side: string) => {
    if (side === '') return 'none';
    if (!isLong) return side;
    const end = from + MAX_CHARS;
    return `${from > 0 ? '…' : ''}${side.slice(from, end)}${end < side.length ? '…' : ''}`;
  };
  return { mine: shown(mine), theirs: shown(theirs) };
}

function firstDifference(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}
