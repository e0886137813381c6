/** Where marked places stand in the lines of an editor. */

/** `isOpen`: something is still to be done there. Characters [start, end) of the text. */
export interface Mark {
  start: number;
  end: number;
  isOpen: boolean;
}

/** A mark in its line. `lead`: what stands before it, `value`: what is marked. */
export interface LineMark {
  /** From 0. */
  line: number;
  lead: string;
  value: string;
  isOpen: boolean;
}

/** What is drawn of a line; a mark further to the right marks its line alone. */
const MAX_CHARS = 1000;

/** Marks by their lines, in the order of the text. */
export function lineMarks(text: string, marks: readonly Mark[]): LineMark[] {
  let line = 0;
  let from = 0;
  return marks
    .filter(({ start }) => start <= text.length)
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end, isOpen }) => {
      let next = text.indexOf('\n', from);
      while (next >= 0 && next < start) {
        line += 1;
        from = next + 1;
        next = text.indexOf('\n', from);
      }
      const last = next < 0 ? text.length : next;
      const isFar = start - from > MAX_CHARS;
      return {
        line,
        lead: isFar ? '' : text.slice(from, start),
        value: isFar ? '' : text.slice(start, Math.min(end, last, start + MAX_CHARS)),
        isOpen,
      };
    });
}
