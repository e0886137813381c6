/** The text of a document while somebody edits it: a segment a line, whatever it is stored as. */

import { separatorsOf } from './segments';

/** A document as an editor shows it. `terminator`: after it line ends were added; '': none were. */
export interface EditedText {
  text: string;
  terminator: string;
}

/** Put each segment on a line of its own, unless the document has line ends already. */
export function forEditing(content: string): EditedText {
  const terminator = separatorsOf(content)?.segment ?? '';
  if (terminator === '' || /[\r\n]/.test(content)) return { text: content, terminator: '' };
  return { text: content.replaceAll(terminator, `${terminator}\n`), terminator };
}

/** The document without the line ends that were added for editing. */
export function fromEditing({ text, terminator }: EditedText): string {
  return terminator === '' ? text : text.replaceAll(`${terminator}\n`, terminator);
}

/** A segment of a text, or a line where nothing ends segments. `start`: characters from 0. */
export interface Row {
  start: number;
  /** Without its terminator and the line ends around it. */
  text: string;
}

/** The segments of a text in their order; what stands empty behind the last is none. */
export function rowsOf(text: string, terminator: string): Row[] {
  const end = terminator === '' ? '\n' : terminator;
  let from = 0;
  const rows = text.split(end).map((piece) => {
    const [first, last] = withoutLineEnds(piece);
    const start = from + first;
    from += piece.length + end.length;
    return { start, text: piece.slice(first, last) };
  });
  return rows.at(-1)?.text === '' ? rows.slice(0, -1) : rows;
}

/** Where a piece begins and ends without the line ends around it. */
function withoutLineEnds(piece: string): readonly [first: number, last: number] {
  const isLineEnd = (at: number) => piece[at] === '\n' || piece[at] === '\r';
  let first = 0;
  while (isLineEnd(first)) first += 1;
  let last = piece.length;
  while (last > first && isLineEnd(last - 1)) last -= 1;
  return [first, last];
}

/** A document as lines to be read: a segment each with its terminator, or lines as they are. */
export function linesIn(content: string): string[] {
  const terminator = separatorsOf(content)?.segment ?? '';
  const rows = rowsOf(content, terminator);
  return rows.map(({ start, text }) => {
    const end = start + text.length;
    return text + (terminator === '\n' ? '' : content.slice(end, end + terminator.length));
  });
}
