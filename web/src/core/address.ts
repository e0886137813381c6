/**
 * What stands behind the `?` of an address: every value is a text there. Anybody may write an
 * address, so each page reads the names that it knows, and what makes no sense falls back.
 */

export type Search = Record<string, unknown>;

/** `?q=850&overdue=true` as names and texts. Numbers stay as they are written: `0012` is no 12. */
export function readAddress(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The opposite; what is not given is left out. */
export function writeAddress(search: Search): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** As the service takes them; what is not sent to it may be longer. */
const MAX_CHARS = 200;
/** Of what a path of a JSON document or of this application may be. */
export const LONGEST_PATH = 2000;
const LARGEST_ID = 2n ** 63n - 1n;

/** A text on one line of at most `most` characters, or absent. */
export function textOf(search: Search, name: string, most = MAX_CHARS): string | undefined {
  const value = writtenIn(search, name);
  if (value === '' || value.length > most) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the service refuses
  return /[\u0000-\u001f\u007f]/.test(value) ? undefined : value;
}

/** A text of the form that the service takes, or absent. `form` fits the whole text. */
export function formOf(search: Search, name: string, form: RegExp): string | undefined {
  const value = textOf(search, name);
  return value !== undefined && form.test(value) ? value : undefined;
}

/** An id as a text, or absent. */
export function idOf(search: Search, name: string): string | undefined {
  const value = formOf(search, name, /^[1-9][0-9]{0,18}$/);
  return value !== undefined && BigInt(value) <= LARGEST_ID ? value : undefined;
}

/** Codes of transaction sets by comma: the form of a text, and that in words. */
export const SETS = {
  fits: /^[0-9A-Za-z]{1,15}(?:,[0-9A-Za-z]{1,15}){0,49}$/,
  hint: 'For example 850 or 850,810',
};

/** Codes of transaction sets by comma, such as `850,810`, or absent. */
export function setsOf(search: Search, name: string): string | undefined {
  return formOf(search, name, SETS.fits);
}

/** A day that exists, such as `2026-01-15`, or absent. */
export function dayOf(search: Search, name: string): string | undefined {
  const value = formOf(search, name, /^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$/);
  const date = new Date(`${value}T00:00:00Z`);
  // The 30th of February is read as the 2nd of March.
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === value;
  return isDay ? value : undefined;
}

/** A whole number from 1, or absent. */
export function countOf(search: Search, name: string): number | undefined {
  const value = Number(formOf(search, name, /^[1-9][0-9]*$/) ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

export function flagOf(search: Search, name: string): true | undefined {
  return writtenIn(search, name) === 'true' ? true : undefined;
}

/** One of the words, or absent. */
export function wordOf<Word extends string>(
  search: Search,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === writtenIn(search, name));
}

/** Those of several words by comma that are among `words`, by comma again, or absent. */
export function wordsOf(
  search: Search,
  name: string,
  words: readonly string[],
): string | undefined {
  const named = textOf(search, name)?.split(',') ?? [];
  return words.filter((word) => named.includes(word)).join(',') || undefined;
}

/**
 * Makes every parameter that `read` finds one that a link may leave out. What it does not know is
 * absent, so that no request names it.
 */
export function optional<Found extends Search>(
  read: (search: Search) => Found,
): (search: Search) => { [Name in keyof Found]?: Found[Name] } {
  return (search) => ({ ...absent(search), ...read(search) });
}

function absent(search: Search): Search {
  return Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
}

/** A link of ours gives numbers and true as they are: they are read as they will be written. */
function writtenIn(search: Search, name: string): string {
  const value = search[name];
  return typeof value === 'number' || value === true ? String(value) : textIn(value);
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What an address names and a page has not read, each as `status=foo`. */
export function unreadIn(address: Search, read: Search): string[] {
  return Object.entries(address).flatMap(([name, value]) => {
    const rest = unreadOf(String(value), read[name]);
    return rest === '' ? [] : [`${name}=${rest}`];
  });
}

function unreadOf(given: string, read: unknown): string {
  if (read === undefined) return given;
  const kept = new Set(String(read).split(','));
  return given
    .split(',')
    .filter((part) => !kept.has(part))
    .join(',');
}
