/** Places that a partner has rejected, followed while the document is edited. */

import { codesWords, type Outcome } from './checked';
import { type Row, rowsOf } from './editedText';
import type { Separators } from './segments';
import { sideBySide } from './sideBySide';
import { counted } from './treeWords';

/** What a partner complains about, as its acknowledgement counts: positions from 1. */
export interface RejectedElement {
  segment_id: string;
  /** Empty: the segment is missing, or nothing of ours fits. */
  our_path: string;
  element_position: number | null;
  component_position: number | null;
  repeat: number | null;
}

/** A rejected place. `row`: its segment from 0. */
export interface RejectedPlace {
  row: number;
  ackError: RejectedElement;
}

/**
 * What became of a rejected place: its value, and where it stands now. `gone`: its segment was
 * taken out, or of a missing one: one was added.
 */
export type Fate = RemainingFate | { kind: 'gone' | 'added' };

interface RemainingFate {
  kind: 'same' | 'changed';
  value: string;
  start: number;
  end: number;
  isSegment: boolean;
}

/** The row in which a character stands; -1: before the first. */
export function rowAt(rows: readonly Row[], offset: number): number {
  return rows.findLastIndex(({ start }) => start <= offset);
}

/** What became of rejected places of a document that was edited. */
export function fatesOf(
  before: string,
  after: string,
  places: readonly (RejectedPlace | null)[],
  marks: Separators,
): (Fate | null)[] {
  if (places.every((place) => place === null)) return places.map(() => null);
  const [old, now] = [rowsOf(before, marks.segment), rowsOf(after, marks.segment)];
  const partners = partnersOf(old, now);
  const [had, has] = [tagCounts(old, marks.element), tagCounts(now, marks.element)];
  return places.map((place) => {
    if (place === null) return null;
    const { row, ackError } = place;
    return ackError.our_path === ''
      ? fateOfMissing(place, now, had, has)
      : fateOf(ackError, old[row], now[partners.get(row) ?? -1], marks);
  });
}

function fateOf(
  ackError: RejectedElement,
  was: Row | undefined,
  is: Row | undefined,
  marks: Separators,
): Fate {
  if (was === undefined || is === undefined) return { kind: 'gone' };
  const [from, to] = spanOf(was.text, ackError, marks);
  const [start, end] = spanOf(is.text, ackError, marks);
  const value = is.text.slice(start, end);
  return {
    kind: was.text.slice(from, to) === value ? 'same' : 'changed',
    value,
    start: is.start + start,
    end: is.start + end,
    isSegment: ackError.element_position === null,
  };
}

/** Which segment of the edited document each one was made into. */
function partnersOf(old: readonly Row[], now: readonly Row[]): Map<number, number> {
  const partners = new Map<number, number>();
  let [row, column] = [0, 0];
  for (const { before, after } of sideBySide(textsOf(old), textsOf(now))) {
    if (before !== null && after !== null) partners.set(row, column);
    row += before === null ? 0 : 1;
    column += after === null ? 0 : 1;
  }
  return partners;
}

const textsOf = (rows: readonly Row[]) => rows.map(({ text }) => text);

/** A segment that the partner misses has no place of its own, but that of the one found instead. */
function fateOfMissing(
  { row, ackError: { segment_id } }: RejectedPlace,
  now: readonly Row[],
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Fate {
  if ((after.get(segment_id) ?? 0) > (before.get(segment_id) ?? 0)) return { kind: 'added' };
  const start = now[Math.min(row, now.length - 1)]?.start ?? 0;
  return { kind: 'same', value: '', start, end: start, isSegment: true };
}

/** How many segments of each id there are. */
function tagCounts(rows: readonly Row[], element: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of rows) {
    const end = text.indexOf(element);
    const tag = end < 0 ? text : text.slice(0, end);
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return counts;
}

type Span = readonly [start: number, end: number];

/** Characters of a segment that a complaint is about; what the segment lacks is its empty end. */
export function spanOf(text: string, ackError: RejectedElement, marks: Separators): Span {
  const { element_position: element, repeat, component_position: component } = ackError;
  if (element === null) return [0, text.length];
  const whole = inner(text, [0, text.length], marks.element, element);
  // The ISA names the other separators, so they separate nothing in it.
  if (text.startsWith('ISA')) return whole;
  const repetition = inner(text, whole, marks.repetition, (repeat ?? 1) - 1);
  return component === null ? repetition : inner(text, repetition, marks.component, component - 1);
}

/** The part of a span behind `index` separators; an empty one at its end if there are fewer. */
function inner(text: string, [start, end]: Span, separator: string, index: number): Span {
  if (separator === '') return [start, end];
  let from = start;
  for (let left = index; left > 0; left -= 1) {
    const found = text.indexOf(separator, from);
    if (found < 0 || found >= end) return [end, end];
    from = found + separator.length;
  }
  const next = text.indexOf(separator, from);
  return [from, next < 0 || next > end ? end : next];
}

/** What became of a rejected place, in words. */
export function fateInWords(fate: Fate): string {
  if (!('value' in fate)) return fate.kind === 'gone' ? 'Removed' : 'Added';
  if (fate.kind === 'same') return 'Unchanged since the rejection';
  if (fate.isSegment) return 'Changed';
  return fate.value === '' ? 'Cleared' : `Changed to ${fate.value}`;
}

/** What is known of a document that is being corrected. `errors`: null while nobody knows. */
export interface Corrected {
  fates: readonly (Fate | null)[];
  errors: number | null;
  outcome?: Outcome | undefined;
  /** Elements that were rejected, and whose codes were not checked. */
  unchecked?: readonly string[];
}

/** Count the rejected places that are unchanged. */
export function countUnchanged(fates: Corrected['fates']): number {
  return fates.filter((fate) => fate?.kind === 'same').length;
}

/** How far the correction is, in one line: `2 rejected places are unchanged. …`. */
export function stateInWords({ fates, errors, outcome, unchecked = [] }: Corrected): string {
  const placed = fates.filter((fate) => fate !== null).length;
  const unchanged = countUnchanged(fates);
  const rejected =
    placed === 0
      ? ''
      : unchanged === 0
        ? 'All rejected places have been changed. '
        : `${unchanged === placed ? '' : `${unchanged} of `}${counted(placed, 'rejected place')} ${unchanged === 1 ? 'is' : 'are'} unchanged. `;
  const validation = validationInWords(errors, outcome, placed > 0);
  const codes = errors === null ? '' : codesWords(unchecked);
  return `${rejected}${validation} ${codes}`.trimEnd();
}

function validationInWords(
  errors: number | null,
  outcome: Outcome | undefined,
  isRejected: boolean,
): string {
  if (errors === null) return 'Validating.';
  if (errors > 0) return `Validation finds ${counted(errors, 'error')}.`;
  if (outcome === 'not_checked') return 'Validation could not check it.';
  return isRejected ? 'It is valid against the standard.' : 'Validation finds no errors.';
}
