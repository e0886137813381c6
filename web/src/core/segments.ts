/**
 * The lines in which a document is shown: of X12 a segment each, of other formats as they are
 * written. Only places are kept, so a document of many megabytes costs two numbers a line.
 */

export interface Separators {
  element: string;
  segment: string;
  component: string;
  repetition: string;
}

/** Lines of a text: piece `i` goes from `starts[i]` to `ends[i]` and belongs to line `numbers[i]`. */
export interface Lines {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
  /** 1-based; the same for all pieces of a line that is cut. */
  numbers: Uint32Array;
  /** Characters of the longest piece. */
  longest: number;
}

/** A part of a line. */
export interface LinePart {
  kind: 'text' | 'tag' | 'separator';
  text: string;
}

/** A browser draws no line of a megabyte in reasonable time. */
export const MAX_CHARS_A_PIECE = 1000;

const ISA_CHARS = 106;
const FRAGMENT = /^(?:GS|ST|[A-Z][A-Z0-9]{1,2})([^A-Za-z0-9 \r\n])/;

/** The separators that an X12 text declares in its ISA; of a fragment as far as they can be seen. */
export function separatorsOf(text: string): Separators | null {
  const at = text.search(/\S/);
  const start = Math.max(at, 0);
  if (text.startsWith('ISA', start) && text.length >= start + ISA_CHARS) {
    const element = text.charAt(start + 3);
    const repetition = text.charAt(start + 82);
    return {
      element,
      repetition: /[A-Za-z0-9 ]/.test(repetition) ? '' : repetition,
      component: text.charAt(start + 104),
      segment: text.charAt(start + 105),
    };
  }
  const head = FRAGMENT.exec(text.slice(start, start + 8));
  const element = head?.[1];
  if (element === undefined) return null;
  const segment = text.includes('~') && element !== '~' ? '~' : '\n';
  return { element, segment, component: '', repetition: '' };
}

/** Find the lines; `terminator`: ends a segment, `''`: only line ends count. */
export function linesOf(text: string, terminator: string): Lines {
  const starts: number[] = [];
  const ends: number[] = [];
  const numbers: number[] = [];
  let longest = 0;
  let line = 0;
  const add = (start: number, end: number) => {
    line += 1;
    let from = start;
    do {
      const to = pieceEnd(text, from, end);
      starts.push(from);
      ends.push(to);
      numbers.push(line);
      longest = Math.max(longest, to - from);
      from = to;
    } while (from < end);
  };
  let from = 0;
  while (from < text.length) {
    const end = lineEnd(text, from, terminator);
    add(from, withoutLineEnd(text, from, end));
    from = afterLineEnd(text, end, terminator);
  }
  if (line === 0) add(0, 0);
  return {
    text,
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
    numbers: Uint32Array.from(numbers),
    longest,
  };
}

function lineEnd(text: string, from: number, terminator: string): number {
  const found = text.indexOf(terminator === '' ? '\n' : terminator, from);
  return found < 0 ? text.length : found + (terminator === '' ? 1 : terminator.length);
}

function withoutLineEnd(text: string, from: number, end: number): number {
  let last = end;
  while (last > from && (text[last - 1] === '\n' || text[last - 1] === '\r')) last -= 1;
  return last;
}

// Many senders put a line end after each terminator; it belongs to no segment.
function afterLineEnd(text: string, end: number, terminator: string): number {
  let next = end;
  if (terminator !== '') {
    while (next < text.length && (text[next] === '\n' || text[next] === '\r')) next += 1;
  }
  return next;
}

function pieceEnd(text: string, from: number, end: number): number {
  const cut = from + MAX_CHARS_A_PIECE;
  if (cut >= end) return end;
  const code = text.charCodeAt(cut);
  return code >= 0xdc00 && code <= 0xdfff ? cut + 1 : cut;
}

/** The text of piece `index`. */
export function pieceOf(lines: Lines, index: number): string {
  return lines.text.slice(lines.starts[index] ?? 0, lines.ends[index] ?? 0);
}

/** Whether piece `index` is where its line begins. */
export function beginsLine(lines: Lines, index: number): boolean {
  return index === 0 || lines.numbers[index] !== lines.numbers[index - 1];
}

/** Cut a piece at its separators; the tag of a segment is a part of its own. */
export function lineParts(piece: string, separators: Separators, hasTag: boolean): LinePart[] {
  const marks = new Set(Object.values(separators).filter((each) => each !== ''));
  const parts: LinePart[] = [];
  let start = 0;
  const text = (end: number) => {
    if (end > start) {
      const kind = hasTag && start === 0 ? 'tag' : 'text';
      parts.push({ kind, text: piece.slice(start, end) });
    }
  };
  for (let at = 0; at < piece.length; at += 1) {
    if (!marks.has(piece.charAt(at))) continue;
    text(at);
    parts.push({ kind: 'separator', text: piece.charAt(at) });
    start = at + 1;
  }
  text(piece.length);
  return parts;
}
