/** The segments of an X12 document that make its envelope, found as the server finds them. */

import { separatorsOf } from './segments';

/** ISA, GS, ST, SE, GE or IEA. `last`: before its terminator; `end`: where the next one begins. */
export interface ControlSegment {
  tag: string;
  /** With the tag, without blanks around them. */
  elements: string[];
  start: number;
  last: number;
  end: number;
}

interface Marks {
  element: string;
  terminator: string;
}

// Of an ISA the 16 separators count, for its padding may be cut off.
const HEAD =
  /ISA([^0-9A-Za-z \0])(?:(?:(?!\1)[\s\S]){0,60}\1){15}((?!\1)[^0-9A-Za-z \0])(\r\n|(?!\1|\2)[^0-9A-Za-z \0])/;
const MAX_HEAD_CHARS = 1000;
const CONTROL = /^(?:ISA|GS|ST|SE|GE|IEA)$/;
const MAX_TAG_CHARS = 8;
/** Which element of a binary segment says how many characters of data follow. */
const LENGTH_AT: Readonly<Record<string, number>> = { BIN: 1, BDS: 2 };
const MAX_LENGTH_CHARS = 40;
const LINE_ENDS = /[\r\n]/g;

/** Find them in their order; what stands before the first ISA belongs to none. */
export function controlSegments(content: string): ControlSegment[] {
  const found: ControlSegment[] = [];
  let { at, marks } = beginningOf(content);
  while (marks !== null && at < content.length) {
    if (content.startsWith('ISA', at)) marks = marksAt(content, at) ?? marks;
    const last = lastOf(content, at, marks);
    const end = withoutBlanks(content, last + marks.terminator.length);
    const tag = tagOf(content.slice(at, Math.min(last, at + MAX_TAG_CHARS)), marks.element);
    if (CONTROL.test(tag)) {
      const values = content.slice(at, last).replace(LINE_ENDS, '').split(marks.element);
      const elements = values.map((value) => value.trim());
      found.push({ tag, elements, start: at, last, end });
    }
    // Behind an interchange counts nothing but another one.
    at = tag === 'IEA' && !content.startsWith('ISA', end) ? nextHead(content, end) : end;
  }
  return found;
}

/** Where the first segment begins, and what separates there; null: it is no X12. */
function beginningOf(content: string): { at: number; marks: Marks | null } {
  const at = content.search(HEAD);
  if (at >= 0) return { at, marks: marksAt(content, at) };
  const bare = separatorsOf(content);
  const marks = bare === null ? null : { element: bare.element, terminator: bare.segment };
  return { at: withoutBlanks(content, 0), marks };
}

function marksAt(content: string, at: number): Marks | null {
  const head = HEAD.exec(content.slice(at, at + MAX_HEAD_CHARS));
  if (head?.index !== 0) return null;
  const [, element = '', , terminator = ''] = head;
  // Whoever ends the ISA with both may end another segment with one.
  return { element, terminator: terminator === '\r\n' ? '\n' : terminator };
}

/** Where the terminator of a segment stands; the end of the document if it has none. */
function lastOf(content: string, at: number, marks: Marks): number {
  const found = content.indexOf(marks.terminator, behindData(content, at, marks));
  return found < 0 ? content.length : found;
}

/** Behind the data of a binary segment, in which any separator may stand; `at` of all others. */
function behindData(content: string, at: number, { element, terminator }: Marks): number {
  const place = LENGTH_AT[content.slice(at, at + 3)];
  if (place === undefined) return at;
  const head = content.slice(at, at + MAX_LENGTH_CHARS).split(element, place + 1);
  const length = head[place] ?? '';
  const behind = at + head.join(element).length + element.length + Number(length);
  const isEnded = [terminator, `\r${terminator}`].some((end) => content.startsWith(end, behind));
  return /^[0-9]+$/.test(length) && isEnded ? behind : at;
}

function tagOf(beginning: string, element: string): string {
  return beginning.replace(LINE_ENDS, '').split(element, 1)[0] ?? '';
}

/** Where the next interchange begins; the end of the document if there is none. */
function nextHead(content: string, from: number): number {
  const found = content.slice(from).search(HEAD);
  return found < 0 ? content.length : from + found;
}

function withoutBlanks(content: string, from: number): number {
  let at = from;
  while (at < content.length && /\s/.test(content.charAt(at))) at += 1;
  return at;
}
