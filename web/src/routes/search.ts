/** Search parameters of pages. Anybody may write an address: what makes no sense falls back. */

type Search = Record<string, unknown>;

/** A text, or absent. */
export function textOf(search: Search, name: string): string | undefined {
  const value = search[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A whole number from 0, or absent. */
export function countOf(search: Search, name: string): number | undefined {
  const value = Number(search[name] ?? Number.NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

export function flagOf(search: Search, name: string): true | undefined {
  return search[name] === true || search[name] === 'true' ? true : undefined;
}

/** One of the words, or absent. */
export function wordOf<Word extends string>(
  search: Search,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === search[name]);
}

/** Makes every parameter that `read` finds one that a link may leave out. */
export function optional<Found extends Search>(
  read: (search: Search) => Found,
): (search: Search) => { [Name in keyof Found]?: Found[Name] } {
  return read;
}
