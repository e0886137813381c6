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

/**
 * The document that holds one set alone: its interchange and group around it, their counts set
 * right. Null: the set is not found, or stands alone already.
 */
export function aloneInEnvelope(content: string, stNumber: string): string | null {
  const marks = separatorsOf(content);
  if (marks === null || marks.segment === '' || !content.startsWith('ISA')) return null;
  const { element, segment } = marks;
  const rows = content.split(segment);
  const at = (tag: string, from = 0) =>
    rows.findIndex((row, index) => index >= from && row.trim().split(element)[0] === tag);
  const starts = rows.flatMap((row, index) => {
    const [tag, , number] = row.trim().split(element);
    return tag === 'ST' ? [{ index, number }] : [];
  });
  const own = starts.filter(({ number }) => number === stNumber);
  const [only] = own;
  if (starts.length < 2 || own.length !== 1 || only === undefined) return null;
  const [group, end, groupEnd] = [
    lastBefore(rows, only.index, element),
    at('SE', only.index),
    at('GE', only.index),
  ];
  const [tail, head] = [at('IEA'), rows[0]];
  if (group < 0 || end < 0 || groupEnd < 0 || tail < 0 || head === undefined) return null;
  const kept = [head, rows[group] ?? '', ...rows.slice(only.index, end + 1)];
  const ends = [counted(rows[groupEnd] ?? '', element), counted(rows[tail] ?? '', element)];
  return [...kept, ...ends, ''].join(segment);
}

function lastBefore(rows: readonly string[], index: number, element: string): number {
  for (let at = index - 1; at >= 0; at -= 1) {
    if (rows[at]?.trim().split(element)[0] === 'GS') return at;
  }
  return -1;
}

/** A trailer that counts one. */
function counted(row: string, element: string): string {
  const parts = row.split(element);
  parts[1] = '1';
  return parts.join(element);
}
