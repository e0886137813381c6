/** Which elements tell segments of one id apart, and which loops are items of a list. */

import type { InspectNode } from './model';
import { conditionValue } from './paths';

/** Positions of the codes, from 1, as the server's suggestions take them. */
export const CODE_POSITIONS: Readonly<Record<string, readonly number[]>> = {
  N1: [1],
  NM1: [1],
  REF: [1],
  N9: [1],
  DTM: [1],
  DTP: [1],
  G62: [1],
  PER: [1],
  G61: [1],
  AMT: [1],
  QTY: [1],
  MAN: [1],
  HL: [3],
  L11: [2],
  MEA: [2],
  SAC: [1, 2],
  TXI: [1],
};

/** The segments whose loops are items of a list, however many a sample has. */
export const LISTS: ReadonlySet<string> = new Set([
  ...['PO1', 'IT1', 'LIN', 'INS', 'LX', 'CLP', 'CLM', 'SVC', 'SLN', 'S5', 'OID'],
  ...['L5', 'AT7', 'SCH', 'W01', 'W04', 'W07', 'W12', 'ENT', 'POC', 'HL'],
]);

/** An element of a segment by its position, if it has a value. */
export function elementAt(segment: InspectNode, position: number): InspectNode | undefined {
  const path = `${segment.path}.${String(position).padStart(2, '0')}`;
  return segment.children.find((each) => each.path === path);
}

/** The codes of a segment; null if it has none or one of them is missing. */
export function codesOf(segment: InspectNode): string[] | null {
  const positions = CODE_POSITIONS[segment.code] ?? [];
  const codes = positions.map((position) => elementAt(segment, position)?.value ?? '');
  return codes.length === 0 || codes.includes('') ? null : codes;
}

/** The codes as a path writes them: `[01=ST]`. */
export function conditionOf(tag: string, codes: readonly string[]): string {
  const positions = CODE_POSITIONS[tag] ?? [];
  const parts = codes.map(
    (code, at) => `${String(positions[at]).padStart(2, '0')}=${conditionValue(code)}`,
  );
  return `[${parts.join(',')}]`;
}
