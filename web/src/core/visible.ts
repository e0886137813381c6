/**
 * Characters that cannot be seen, or that change how others are seen: shown by a name instead, so
 * that a document or a name in it looks like what it is.
 */

/** A part of a text; `hidden`: it stands for one character that cannot be shown as itself. */
export interface VisiblePart {
  text: string;
  hidden: boolean;
}

// Controls but the tab, marks of format and direction, separators of lines, halves of pairs.
const HIDDEN = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

// Of the controls, in the order of their codes (ISO 646). Few fonts have pictures of them.
const CONTROLS = [
  ...['NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'BEL', 'BS', 'HT', 'LF', 'VT', 'FF', 'CR'],
  ...['SO', 'SI', 'DLE', 'DC1', 'DC2', 'DC3', 'DC4', 'NAK', 'SYN', 'ETB', 'CAN', 'EM', 'SUB'],
  ...['ESC', 'FS', 'GS', 'RS', 'US'],
];

/** What is shown for a character: the name of a control (`NUL`), else its number (`U+202E`). */
export function visibleName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return CONTROLS[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Cut a text at its hidden characters. One without them is a single part. */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let start = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > start) parts.push({ text: text.slice(start, found.index), hidden: false });
    parts.push({ text: visibleName(found[0]), hidden: true });
    start = found.index + found[0].length;
  }
  if (start < text.length || parts.length === 0) {
    parts.push({ text: text.slice(start), hidden: false });
  }
  return parts;
}

/** A text with its hidden characters named, as in `a[NUL]b`, where nothing can be marked. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (found) => `[${visibleName(found)}]`).replaceAll('\t', ' ');
}

const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  '\n': 'line feed',
  '\r': 'carriage return',
  '\r\n': 'carriage return and line feed',
  '\t': 'tab',
  ' ': 'space',
};

/** A separator as people read it: `*`, or `line feed`. */
export function separatorName(separator: string): string {
  const parts = visibleParts(separator).map(({ text }) => text);
  return SEPARATOR_NAMES[separator] ?? parts.join(' ');
}
