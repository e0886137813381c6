/** Notes on a document, such as findings, put to the lines and elements they are about. */

import { type LinePart, type Lines, lineParts, type Separators } from './segments';

/** `offset`: where it is, characters of the document from 0; null: nowhere. */
export interface Noted {
  offset: number | null;
}

/** The piece of a document in which a character is. */
export function pieceAt(lines: Lines, offset: number): number {
  let low = 0;
  let high = lines.starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines.starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

/** Notes by the piece they stand in; what has no place, or one behind the text, is left out. */
export function notesByPiece<Note extends Noted>(
  lines: Lines,
  notes: readonly Note[],
): Map<number, Note[]> {
  const found = new Map<number, Note[]>();
  for (const note of notes) {
    if (note.offset === null || note.offset >= lines.text.length) continue;
    const piece = pieceAt(lines, note.offset);
    found.set(piece, [...(found.get(piece) ?? []), note]);
  }
  return found;
}

export interface MarkedPart extends LinePart {
  isMarked: boolean;
}

/** The parts of a piece that begins at `start`; those in which one of the characters is are marked. */
export function markedParts(
  piece: string,
  start: number,
  offsets: readonly number[],
  separators: Separators,
  hasTag: boolean,
): MarkedPart[] {
  let at = start;
  return lineParts(piece, separators, hasTag).map((part) => {
    const from = at;
    at += part.text.length;
    const isMarked =
      part.kind !== 'separator' && offsets.some((offset) => offset >= from && offset < at);
    return { ...part, isMarked };
  });
}

const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * How the places of a server, which counts characters, are places of the browser, where a character
 * outside the basic plane counts twice.
 */
export function placesOf(text: string): (offset: number) => number {
  // Of each such character its place as the server counts.
  const pairs: number[] = [];
  for (const { index } of text.matchAll(PAIRS)) pairs.push(index - pairs.length);
  if (pairs.length === 0) return (offset) => offset;
  return (offset) => Math.min(text.length, offset + countBelow(pairs, offset));
}

/** How many of ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
