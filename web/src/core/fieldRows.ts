/** The values of an inspected document as a flat list. */

import type { InspectNode } from './model';

export interface FieldRow {
  /** As the fields of parse have it, such as `PO1[2].06`. */
  path: string;
  name: string;
  value: string;
  /** What the value means, where it is a code. */
  meaning: string;
}

/** All values in document order; what is empty is left out. */
export function fieldRows(tree: readonly InspectNode[]): FieldRow[] {
  const rows: FieldRow[] = [];
  const add = ({ path, name, value, qualifier, children }: InspectNode) => {
    if (children.length === 0 && value !== null && value !== '') {
      rows.push({ path, name, value, meaning: qualifier ?? '' });
    }
    children.forEach(add);
  };
  tree.forEach(add);
  return rows;
}

/** The rows in which a text occurs, in any case. */
export function rowsWith(rows: readonly FieldRow[], text: string): FieldRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...rows];
  return rows.filter((row) =>
    Object.values(row).some((each) => each.toLowerCase().includes(wanted)),
  );
}
