/** How rows of a document's tree, their types and their findings are said in words. */

import type { Mark, Placed, TreeItem } from './documentTree';
import { visibleText } from './visible';

export interface MarkWords {
  tone: 'err' | 'warn';
  text: string;
}

/** `1 error`, `2 orders`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}

/** What a row says of its findings, and while it is folded of those below it; null: none. */
export function markWords<F extends Placed>(
  mark: Mark<F> | undefined,
  expanded: boolean,
): MarkWords | null {
  if (mark === undefined) return null;
  const own = { errors: 0, others: 0 };
  for (const { severity } of mark.own) own[severity === 'error' ? 'errors' : 'others'] += 1;
  const errors = own.errors + (expanded ? 0 : mark.errorsBelow);
  const others = own.others + (expanded ? 0 : mark.warningsBelow);
  if (errors > 0) return { tone: 'err', text: counted(errors, 'error') };
  return others > 0 ? { tone: 'warn', text: counted(others, 'warning') } : null;
}

const MAX_VALUE_CHARS = 80;

/** The name of a row for screen readers: `BEG03, Purchase order number, value PO-1, 1 error`. */
export function rowName(item: TreeItem, value: string, mark: MarkWords | null): string {
  const { code, name, qualifier } = item.node;
  const words = [
    visibleText(code),
    name,
    qualifier ?? '',
    value === '' ? '' : `value ${visibleText(value.slice(0, MAX_VALUE_CHARS))}`,
    mark?.text ?? '',
  ];
  return words.filter((each) => each !== '').join(', ');
}

const X12_TYPES: Readonly<Record<string, string>> = {
  AN: 'text',
  ID: 'code',
  DT: 'date',
  TM: 'time',
  R: 'decimal number',
  N0: 'whole number',
  B: 'binary data',
};
const LENGTHS = /^([A-Z][A-Z0-9]?) ([0-9]+)\.\.([0-9]+)$/;

/** A type in words: `AN 1..22` is `text, 1 to 22 characters`; what is no X12 type stays. */
export function typeInWords(type: string): string {
  const found = LENGTHS.exec(type);
  if (found === null) return type;
  const [, id = '', least = '', most = ''] = found;
  const places = /^N[1-9]$/.test(id) ? `number with ${id.charAt(1)} implied decimals` : null;
  const range = least === most ? most : `${least} to ${most}`;
  return `${X12_TYPES[id] ?? places ?? id}, ${range} ${most === '1' ? 'character' : 'characters'}`;
}
