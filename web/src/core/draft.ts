/**
 * What a browser keeps of a map that is not saved yet: rules, lookups, formats and names. Never
 * documents, tests or keys, since they may hold what must not stay on this machine.
 */

import type { Format, Lookup, MapState, Rule } from './model';
import { isLookup, isRule } from './ruleShape';

/** `at`: when it was written, ISO 8601 UTC. `baseVersion`: the version edited; null: none yet. */
export interface Draft {
  /** Which map it is of, as `savedIdentity` or `newIdentity` gives it. */
  of: string;
  baseVersion: number | null;
  at: string;
  name: string;
  description: string;
  tx_set: string;
  source_fmt: Format;
  target_fmt: Format;
  direction: MapState['direction'];
  field_map: Rule[];
  lookups: Lookup[];
  rejected: string[];
}

const KIND = 'longshore-draft-1';

/** Write a draft as text. */
export function encodeDraft(
  state: MapState,
  { of, baseVersion, at }: Pick<Draft, 'of' | 'baseVersion' | 'at'>,
): string {
  return JSON.stringify({ kind: KIND, of, baseVersion, at, ...storedState(state) });
}

type StoredState = Omit<Draft, 'of' | 'baseVersion' | 'at'>;

function storedState(state: StoredState): StoredState {
  const { name, description, tx_set, source_fmt, target_fmt, direction } = state;
  const { field_map, lookups, rejected } = state;
  const settings = { name, description, tx_set, source_fmt, target_fmt, direction };
  return { ...settings, field_map, lookups, rejected };
}

/** Read a draft; null if the text is none. */
export function decodeDraft(text: string): Draft | null {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  return isDraft(found) ? withoutKind(found) : null;
}

function withoutKind(draft: Draft): Draft {
  return { of: draft.of, baseVersion: draft.baseVersion, at: draft.at, ...storedState(draft) };
}

const FORMATS: readonly unknown[] = ['x12', 'json', 'csv', 'xml'];
const DIRECTIONS: readonly unknown[] = ['inbound', 'outbound'];

function isDraft(found: unknown): found is Draft {
  if (typeof found !== 'object' || found === null) {
    return false;
  }
  const members = new Map<string, unknown>(Object.entries(found));
  const version = members.get('baseVersion');
  return (
    members.get('kind') === KIND &&
    (version === null || typeof version === 'number') &&
    ['of', 'at', 'name', 'description', 'tx_set'].every(
      (each) => typeof members.get(each) === 'string',
    ) &&
    ['source_fmt', 'target_fmt'].every((each) => FORMATS.includes(members.get(each))) &&
    DIRECTIONS.includes(members.get('direction')) &&
    isListOf(members.get('field_map'), isRule) &&
    isListOf(members.get('lookups'), isLookup) &&
    isListOf(members.get('rejected'), (each) => typeof each === 'string')
  );
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

/**
 * A map as it would be with a draft; documents and tests are those of the map, and so is the
 * example of the output, unless it is of another format.
 */
export function withDraft(state: MapState, draft: Draft): MapState {
  const target_sample = state.target_fmt === draft.target_fmt ? state.target_sample : '';
  return { ...state, ...storedState(draft), target_sample };
}

/** What tells a saved map from another one that had its number in another database. */
export function savedIdentity(map: { created_at: string }): string {
  return map.created_at;
}

/**
 * What tells a map that was never saved from others: the document it began over, and what that
 * becomes. Of both only a number is kept.
 */
export function newIdentity(first: MapState): string {
  const { source_fmt, target_fmt, tx_set, sample, target_sample } = first;
  const parts = [source_fmt, target_fmt, tx_set, sample?.document ?? '', target_sample];
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (const character of JSON.stringify(parts)) {
    const code = character.codePointAt(0) ?? 0;
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  return (one >>> 0).toString(16).padStart(8, '0') + (other >>> 0).toString(16).padStart(8, '0');
}
