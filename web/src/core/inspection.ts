/** What an inspected document is, said in words. */

import type { Format, InspectNode } from './model';
import { counted } from './treeWords';
import { separatorName } from './visible';

/** What of the answer of POST /api/inspect the words are made of. */
export interface Inspected {
  format: string;
  tx_set: string;
  tx_set_name: string;
  version: string;
  elem_sep: string;
  seg_term: string;
  comp_sep: string;
  rep_sep: string;
  field_count: number;
  tree_truncated: boolean;
  tree: readonly InspectNode[];
}

/** The codes that a document may be compared with. */
export const CODE_CHECKS = ['standard', 'partner', 'off'] as const;

/** In the order in which a choice offers them. */
export const FORMATS: readonly Format[] = ['x12', 'json', 'xml', 'csv'];

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  x12: 'X12',
  json: 'JSON',
  xml: 'XML',
  csv: 'CSV',
};

/** `x12` as people write it: `X12`. */
export function formatName(format: string): string {
  return FORMAT_NAMES[format] ?? format;
}

/** The parts of the line over an inspected document, such as `850 Purchase order`. */
export function inspectedWords(found: Inspected): string[] {
  return [formatName(found.format), ...aboutSet(found), countsOf(found)];
}

function aboutSet(found: Inspected): string[] {
  if (found.format === 'csv') return [`separator ${separatorName(found.elem_sep)}`];
  if (found.format !== 'x12') return [];
  const set = `${found.tx_set} ${found.tx_set_name}`.trim();
  const marks = [found.elem_sep, found.seg_term, found.comp_sep, found.rep_sep];
  const shown = marks.filter((each) => each !== '').map(separatorName);
  const words = [set === '' ? 'no transaction set' : set, found.version];
  return [...words, `separators ${shown.join(' ')}`].filter((each) => each !== '');
}

const COUNTED: Readonly<Record<string, readonly [kind: string, word: string]>> = {
  x12: ['set', 'transaction set'],
  csv: ['row', 'row'],
};

// How many sets or rows there are the tree tells, and only if it is whole.
function countsOf(found: Inspected): string {
  const values = counted(found.field_count, 'value');
  const [kind, word] = COUNTED[found.format] ?? ['', ''];
  if (word === '' || found.tree_truncated) return values;
  return `${counted(found.tree.filter((node) => node.kind === kind).length, word)}, ${values}`;
}

/** Where something is in a document, as refusals and findings count, lines from 1 and offsets from 0: `line 3, character offset 120`; `''` if nobody knows. */
export function placeInWords(offset: number | null, line: number | null): string {
  const words = [];
  if (line !== null) words.push(`line ${line.toLocaleString('en')}`);
  if (offset !== null) words.push(`character offset ${offset.toLocaleString('en')}`);
  return words.join(', ');
}

/** The acknowledgement codes that a finding leads to: `element 4, segment 8`; `''` if none. */
export function acknowledgementCodes(codes: Readonly<Record<string, string>> | null): string {
  return Object.entries(codes ?? {})
    .map(([level, code]) => `${level} ${code}`)
    .sort()
    .join(', ');
}
