/** What validation checked of a document, in words: never more than it did. */

import type { StatusTone } from './statusWords';
import { counted } from './treeWords';

export type Outcome = 'valid' | 'invalid' | 'not_checked';

/** What was checked of one set, or of the first one. */
export interface Checked {
  tx_set: string;
  version: string;
  definition: 'none' | 'nearest' | 'standard' | 'exact';
  guide: string | null;
  named_guide: string | null;
  codes_checked: { enforced: readonly string[]; not_enforced: readonly string[] };
}

export interface CheckedSet extends Checked {
  index: number;
  control_number: string;
  outcome: Outcome;
}

export const OUTCOME_WORDS: Readonly<Record<Outcome, { word: string; tone: StatusTone }>> = {
  valid: { word: 'Valid', tone: 'ok' },
  invalid: { word: 'Invalid', tone: 'err' },
  not_checked: { word: 'Not checked', tone: 'open' },
};

/** What a set was checked against, in a sentence; `''` where it was its own release and guide. */
export function definitionWords(checked: Checked): string {
  const { tx_set, version, definition, named_guide } = checked;
  const set = `${tx_set} ${version}`.trim();
  if (definition === 'none') {
    const what = set === '' ? 'This document' : `Set ${set}`;
    return `${what} has no definition in the dictionary: only the envelope was checked.`;
  }
  if (definition === 'standard') {
    const guide = named_guide === null ? 'Its implementation guide' : `Guide ${named_guide}`;
    return `${guide} was not used: checked against ${tx_set} ${version.slice(0, 6)} only.`;
  }
  return definition === 'nearest'
    ? `Release ${version} of ${tx_set} is not known: checked against the nearest release.`
    : '';
}

const OUTSIDE: ReadonlySet<string> = new Set(['leading_garbage', 'trailing_data']);
const CUT_OFF: ReadonlySet<string> = new Set([
  'interchange_trailer_missing',
  'group_trailer_missing',
  'set_trailer_missing',
  'control_structure_invalid',
]);

/** What of an answer says whether the whole text was read. */
export interface ReadText {
  outcome?: Outcome | undefined;
  sets?: readonly { outcome: Outcome }[] | undefined;
  findings?: readonly { code: string }[] | undefined;
}

/** That a part of the text was not read or is missing, a sentence each. */
export function unreadWords({ outcome, sets = [], findings = [] }: ReadText): string[] {
  const words: string[] = [];
  const isEachChecked = sets.length > 0 && sets.every((set) => set.outcome !== 'not_checked');
  if (outcome === 'not_checked' && isEachChecked) {
    words.push(
      'Text outside the interchanges was not read. It may be a document, so not everything here was checked.',
    );
  } else if (findings.some(({ code }) => OUTSIDE.has(code))) {
    words.push('Text outside the interchanges was not read.');
  }
  if (findings.some(({ code }) => CUT_OFF.has(code))) {
    words.push('The document is not complete. What is missing was not checked.');
  }
  return words;
}

/** The elements whose code lists were not enforced; `''` if all were, or the set has none. */
export function codesWords(elements: readonly string[]): string {
  if (elements.length === 0) return '';
  const lists = elements.length === 1 ? 'Code list of element' : 'Code lists of elements';
  return `${lists} ${elements.join(', ')} not checked.`;
}

/** Those of the elements that a partner complained about whose codes were not checked. */
export function uncheckedAmong(
  checked: Pick<Checked, 'codes_checked'>,
  elements: readonly string[],
): string[] {
  const open = new Set(checked.codes_checked.not_enforced);
  return [...new Set(elements)].filter((element) => open.has(element));
}

/** The title over what validation finds: `Validation: 0 errors`, `Validation: not checked`. */
export function validationTitle(errors: number | null, outcome: Outcome | undefined): string {
  if (errors === null) return 'Validating';
  if (outcome === 'not_checked') return 'Validation: not checked';
  return `Validation: ${counted(errors, 'error')}`;
}
