/** Warnings of a conversion as people read them. */

interface Notice {
  message: string;
  count?: number | null;
  row?: readonly number[] | null;
  sets?: readonly { index: number; tx_set: string; control_number: string }[] | null;
}

const MAX_NAMED = 10;

/** The message, and which sets or rows it is about: `row 1.2 and 4 more`. */
export function warningText({ message, count, row, sets }: Notice): string {
  if (row && row.length > 0) {
    const others = (count ?? 1) > 1 ? ` and ${(count ?? 1) - 1} more` : '';
    return `${message}: row ${row.join('.')}${others}`;
  }
  if (!sets || sets.length === 0) return message;
  const named = sets
    .slice(0, MAX_NAMED)
    .map((set) => `ST[${set.index}] ${set.tx_set} ${set.control_number}`.trim());
  const more = (count ?? sets.length) - named.length;
  return `${message}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
