/**
 * What a browser keeps of a map that is not saved yet: rules, lookups and names. Never documents,
 * tests or keys, since they may hold what must not stay on this machine.
 */

import type { Lookup, MapState, Rule } from './model';
import { isLookup, isRule } from './ruleShape';

/** `at`: when it was written, ISO 8601 UTC. `baseVersion`: the version edited; null: none yet. */
export interface Draft {
  baseVersion: number | null;
  at: string;
  name: string;
  description: string;
  tx_set: string;
  field_map: Rule[];
  lookups: Lookup[];
  rejected: string[];
}

const KIND = 'longshore-draft-1';

/** Write a draft as text. */
export function encodeDraft(state: MapState, baseVersion: number | null, at: string): string {
  const { name, description, tx_set, field_map, lookups, rejected } = state;
  const draft: Draft = { baseVersion, at, name, description, tx_set, field_map, lookups, rejected };
  return JSON.stringify({ kind: KIND, ...draft });
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

function withoutKind({ baseVersion, at, name, description, tx_set, ...others }: Draft): Draft {
  const { field_map, lookups, rejected } = others;
  return { baseVersion, at, name, description, tx_set, field_map, lookups, rejected };
}

function isDraft(found: unknown): found is Draft {
  if (typeof found !== 'object' || found === null) {
    return false;
  }
  const members = new Map<string, unknown>(Object.entries(found));
  const version = members.get('baseVersion');
  return (
    members.get('kind') === KIND &&
    (version === null || typeof version === 'number') &&
    ['at', 'name', 'description', 'tx_set'].every(
      (each) => typeof members.get(each) === 'string',
    ) &&
    isListOf(members.get('field_map'), isRule) &&
    isListOf(members.get('lookups'), isLookup) &&
    isListOf(members.get('rejected'), (each) => typeof each === 'string')
  );
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

/** A map as it would be with a draft; documents and tests are those of the map. */
export function withDraft(state: MapState, draft: Draft): MapState {
  const { name, description, tx_set, field_map, lookups, rejected } = draft;
  return { ...state, name, description, tx_set, field_map, lookups, rejected };
}
