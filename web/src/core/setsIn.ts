/** The transaction sets of a document, and one of them alone in its envelope. */

import { type ControlSegment, controlSegments } from './controlSegments';

/** A set from ST to behind SE, or to what ends it instead. Texts are '' where the document has none. */
export interface SetIn {
  /** ST01. */
  id: string;
  /** ST02. */
  number: string;
  /** GS06. */
  group: string;
  isInGroup: boolean;
  start: number;
  end: number;
}

/** What a record says of its set; '' where it says nothing. */
export interface NamedSet {
  tx_set: string;
  gs_control_number: string;
  st_control_number: string;
}

/** A document made of stretches of another one. */
export interface Alone {
  text: string;
  /** Where a character of the other document stands in it; null: it was left out. */
  placeOf: (offset: number) => number | null;
}

/** The sets of a document, in its order. */
export function setsIn(content: string): SetIn[] {
  const sets: SetIn[] = [];
  const segments = controlSegments(content);
  let group: ControlSegment | undefined;
  for (const [at, segment] of segments.entries()) {
    group = groupBehind(segment, group);
    if (segment.tag !== 'ST') continue;
    const [, id = '', number = ''] = segment.elements;
    const end = setEnd(segments[at + 1]) ?? content.length;
    const of = { group: group?.elements[6] ?? '', isInGroup: group !== undefined };
    sets.push({ id, number, ...of, start: segment.start, end });
  }
  return sets;
}

/** The group that is open behind a segment. */
function groupBehind(
  segment: ControlSegment,
  group: ControlSegment | undefined,
): ControlSegment | undefined {
  if (segment.tag === 'GS') return segment;
  return segment.tag === 'ST' || segment.tag === 'SE' ? group : undefined;
}

/** Where a set ends before, or with, the next segment of the envelope. */
function setEnd(next: ControlSegment | undefined): number | undefined {
  return next?.tag === 'SE' ? next.end : next?.start;
}

/** The sets that have the names of a record. */
export function namedSets(sets: readonly SetIn[], record: NamedSet): SetIn[] {
  const fits = (said: string, found: string) => said === '' || said === found;
  return sets.filter(
    ({ id, group, number }) =>
      fits(record.tx_set, id) &&
      fits(record.gs_control_number, group) &&
      fits(record.st_control_number, number),
  );
}

/**
 * The set of a record among those of its document; null: nobody can tell. `place`: of the record
 * among those of the document, from 0; null where that is not known.
 */
export function setOf(
  sets: readonly SetIn[],
  record: NamedSet,
  place: number | null,
): SetIn | null {
  const named = namedSets(sets, record);
  const [first] = named;
  if (named.length < 2) return first ?? null;
  // The server keeps the records of sets without a group behind all others.
  const isInOrder = sets.every(({ isInGroup }) => isInGroup === first?.isInGroup);
  const placed = sets[place ?? -1];
  return named.find((set) => isInOrder && set === placed) ?? null;
}

/** The document that holds one set alone: its interchange and group around it, which count one. */
export function aloneInEnvelope(content: string, set: SetIn): Alone {
  const segments = controlSegments(content);
  const before = segments.filter(({ start }) => start < set.start);
  const after = segments.filter(({ start }) => start >= set.end);
  const head = before.findLast(({ tag }) => tag === 'ISA');
  const group = set.isInGroup ? before.findLast(({ tag }) => tag === 'GS') : undefined;
  const groupEnd = group && firstBefore(after, 'GE', ['GS', 'IEA', 'ISA']);
  const end = head && firstBefore(after, 'IEA', ['ISA']);
  const pieces = [
    ...[head, group, set].map((each) => each && pieceOf(content, each)),
    ...[groupEnd, end].map((each) => each && counting(content, each)),
  ].filter((piece) => piece !== undefined);
  return { text: pieces.map(({ text }) => text).join(''), placeOf: placesIn(pieces) };
}

/** The first of a kind, unless one of `others` comes before it. */
function firstBefore(
  segments: readonly ControlSegment[],
  wanted: string,
  others: readonly string[],
): ControlSegment | undefined {
  const first = segments.find(({ tag }) => tag === wanted || others.includes(tag));
  return first?.tag === wanted ? first : undefined;
}

interface Piece {
  start: number;
  text: string;
}

function pieceOf(content: string, { start, end }: { start: number; end: number }): Piece {
  return { start, text: content.slice(start, end) };
}

/** A trailer that counts one. */
function counting(content: string, trailer: ControlSegment): Piece {
  const { start, text } = pieceOf(content, trailer);
  const [tag = '', count] = trailer.elements;
  const at = count === undefined ? -1 : text.indexOf(count, tag.length + 1);
  if (count === undefined || at < 0) return { start, text };
  return { start, text: `${text.slice(0, at)}1${text.slice(at + count.length)}` };
}

function placesIn(pieces: readonly Piece[]): Alone['placeOf'] {
  return (offset) => {
    let before = 0;
    for (const { start, text } of pieces) {
      if (offset >= start && offset < start + text.length) return before + offset - start;
      before += text.length;
    }
    return null;
  };
}
