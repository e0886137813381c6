/** Two texts beside each other: what is equal stands in one row, what was changed as well. */

import { lineDiff } from './diff';

/** null: there is no such line on this side. */
export interface SideRow {
  before: string | null;
  after: string | null;
  isChanged: boolean;
}

/** How two texts differ by their lines, removed and added lines paired in their order. */
export function sideBySide(before: string, after: string): SideRow[] {
  const rows: SideRow[] = [];
  const removed: string[] = [];
  const added: string[] = [];
  const flush = () => {
    const length = Math.max(removed.length, added.length);
    for (let at = 0; at < length; at += 1) {
      rows.push({ before: removed[at] ?? null, after: added[at] ?? null, isChanged: true });
    }
    removed.length = 0;
    added.length = 0;
  };
  for (const { mark, text } of lineDiff(before, after)) {
    if (mark === '-') removed.push(text);
    else if (mark === '+') added.push(text);
    else {
      flush();
      rows.push({ before: text, after: text, isChanged: false });
    }
  }
  flush();
  return rows;
}
