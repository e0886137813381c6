/** Places that a partner has rejected, followed while the document is edited. */

import { codesWords, type Outcome } from './checked';
import { type Row, rowsOf } from './editedText';
import type { Separators } from './segments';
import { sideBySide } from './sideBySide';
import { counted } from './treeWords';

/** What a partner complains about, as its acknowledgement counts: positions from 1. */
export interface Complained {
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
  complaint: Complained;
}

/**
 * What became of a rejected place: its value, and where it stands now. `gone`: its segment was
 * taken out, or of a missing one: one was added.
 */
export type Fate = Standing | { kind: 'gone' | 'added' };

interface Standing {
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
    const { row, complaint } = place;
    return complaint.our_path === ''
      ? fateOfMissing(place, now, had, has)
      : fateOf(complaint, old[row], now[partners.get(row) ?? -1], marks);
  });
}

function fateOf(
  complaint: Complained,
  was: Row | undefined,
  is: Row | undefined,
  marks: Separators,
): Fate {
  if (was === undefined || is === undefined) return { kind: 'gone' };
  const [from, to] = spanOf(was.text, complaint, marks);
  const [start, end] = spanOf(is.text, complaint, marks);
  const value = is.text.slice(start, end);
  return {
    kind: was.text.slice(from, to) === value ? 'same' : 'changed',
    value,
    start: is.start + start,
    end: is.start + end,
    isSegment: complaint.element_position === null,
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
  { row, complaint: { segment_id } }: RejectedPlace,
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
export function spanOf(text: string, complaint: Complained, marks: Separators): Span {
  const { element_position: element, repeat, component_position: component } = complaint;
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
  if (!('value' in fate)) return fate.kind === 'gone' ? 'Taken out' : 'Added';
  if (fate.kind === 'same') return 'Still as it was rejected';
  if (fate.isSegment) return 'Changed';
  return fate.value === '' ? 'Emptied' : `Changed to ${fate.value}`;
}

/** What is known of a document that is being corrected. `errors`: null while nobody knows. */
export interface Corrected {
  fates: readonly (Fate | null)[];
  errors: number | null;
  outcome?: Outcome | undefined;
  /** Elements that were rejected, and whose codes were not checked. */
  unchecked?: readonly string[];
}

/** How many rejected places stand as they were. */
export function standingOf(fates: Corrected['fates']): number {
  return fates.filter((fate) => fate?.kind === 'same').length;
}

/** How far the correction is, in one line: `2 rejected places stand as before. …`. */
export function stateInWords({ fates, errors, outcome, unchecked = [] }: Corrected): string {
  const placed = fates.filter((fate) => fate !== null).length;
  const standing = standingOf(fates);
  const rejected =
    placed === 0
      ? ''
      : standing === 0
        ? 'Everything that was rejected is changed. '
        : `${standing === placed ? '' : `${standing} of `}${counted(placed, 'rejected place')} ${standing === 1 ? 'stands' : 'stand'} as before. `;
  const validation = validationInWords(errors, outcome, placed > 0);
  const codes = errors === null ? '' : codesWords(unchecked);
  return `${rejected}${validation} ${codes}`.trimEnd();
}

function validationInWords(
  errors: number | null,
  outcome: Outcome | undefined,
  isRejected: boolean,
): string {
  if (errors === null) return 'Validation runs.';
  if (errors > 0) return `Validation finds ${counted(errors, 'error')}.`;
  if (outcome === 'not_checked') return 'Validation could not check it.';
  return isRejected ? 'By the standard nothing is wrong.' : 'Validation finds nothing wrong.';
}
