/** A list that is refreshed while somebody reads it: rows keep their places, new ones wait. */

type Key = string | number;

/** The rows shown, each as it is now where the newer list has it, in the places they had. */
export function inPlace<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  keyOf: (row: Row) => Key,
): Row[] {
  const now = new Map(latest.map((row) => [keyOf(row), row]));
  return shown.map((row) => now.get(keyOf(row)) ?? row);
}

/** How many rows of the newer list are not shown. */
export function countWaiting<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  keyOf: (row: Row) => Key,
): number {
  const known = new Set(shown.map(keyOf));
  return latest.filter((row) => !known.has(keyOf(row))).length;
}
