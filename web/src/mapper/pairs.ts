/** Lookup tables as lines of text. */
import type { Lookup } from '../core/model';

/** `EA=each` on each line; a tab parts the two where the first has an equals sign itself. */
export function pairsText(rows: Lookup['rows']): string {
  return rows.map(({ from, to }) => from + (/[=\t]/.test(from) ? '\t' : '=') + to).join('\n');
}

/** The pairs of such a text. A line without a sign stands for an empty result. */
export function pairsOf(text: string): Lookup['rows'] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.includes('\t') ? line.indexOf('\t') : line.indexOf('=');
      return at < 0 ? { from: line, to: '' } : { from: line.slice(0, at), to: line.slice(at + 1) };
    });
}

/**
 * The text of a field for pairs: what was typed as long as it says what the table has, as an empty
 * line says nothing; otherwise the table.
 */
export function shownPairs(typed: string | null, rows: Lookup['rows']): string {
  const text = pairsText(rows);
  return typed !== null && pairsText(pairsOf(typed)) === text ? typed : text;
}
