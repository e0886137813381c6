/**
 * JSON with what `JSON.parse` loses: the line of each value, names that occur twice, and numbers
 * whose digits a binary floating point number does not keep. Those become texts.
 */

import type { Json } from './model';

export interface Fault {
  line: number;
  message: string;
}

/** A value and where it stands. `exact`: a number that is kept as the text of its digits. */
export interface JsonNode {
  value: Json;
  line: number;
  exact: boolean;
  members: Map<string, JsonNode>;
  items: JsonNode[];
}

const MAX_DEPTH = 64;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const TEXT = /"(?:[^"\\]|\\[\s\S])*"/y;
const SPACE = /[ \t\r\n]*/y;
const MAX_DIGITS = 400;

/** Read a text; the faults are empty if it is sound. */
export function readJson(text: string): { root: JsonNode | null; faults: Fault[] } {
  const reader = new Reader(text);
  try {
    const root = reader.document();
    return { root, faults: reader.faults };
  } catch (error) {
    if (error instanceof SyntaxError) {
      return { root: null, faults: [{ line: reader.line, message: error.message }] };
    }
    throw error;
  }
}

class Reader {
  readonly faults: Fault[] = [];
  line = 1;
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    const root = this.#value(0);
    if (this.#next() !== '') {
      throw new SyntaxError('There is text after the end.');
    }
    return root;
  }

  /** The next character that is no white space; `''` at the end. */
  #next(): string {
    const space = this.#match(SPACE) ?? '';
    this.line += space.split('\n').length - 1;
    return this.#text[this.#at] ?? '';
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) {
      throw new SyntaxError(`It is nested deeper than ${MAX_DEPTH} levels.`);
    }
    const first = this.#next();
    if (first === '{') {
      return this.#object(depth);
    }
    if (first === '[') {
      return this.#array(depth);
    }
    return first === '"' ? this.#leaf(this.#string()) : this.#literal(first);
  }

  #leaf(value: Json, exact = false): JsonNode {
    return { value, line: this.line, exact, members: new Map(), items: [] };
  }

  #literal(first: string): JsonNode {
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return this.#leaf(value);
      }
    }
    const number = this.#match(NUMBER);
    if (number === null) {
      throw new SyntaxError(
        first === '' ? 'It ends unexpectedly.' : `${first} is not expected here.`,
      );
    }
    const plain = plainNumber(number);
    const isKept = plain !== null && String(Number(plain)) === plain;
    return isKept ? this.#leaf(Number(plain)) : this.#leaf(plain ?? number, true);
  }

  #string(): string {
    const value = textOf(this.#match(TEXT) ?? '');
    if (value === null) {
      throw new SyntaxError('A string is not closed or contains a character that must be escaped.');
    }
    return value;
  }

  #object(depth: number): JsonNode {
    const node = this.#leaf(null);
    this.#at += 1;
    while (this.#next() !== '}') {
      this.#separator(node.members.size > 0, '}');
      const line = this.line;
      if (this.#next() !== '"') {
        throw new SyntaxError('Expected a name in quotes.');
      }
      const name = this.#string();
      if (this.#next() !== ':') {
        throw new SyntaxError(`: is expected after "${name}".`);
      }
      this.#at += 1;
      if (node.members.has(name)) {
        this.faults.push({ line, message: `"${name}" occurs twice.` });
      }
      node.members.set(name, this.#value(depth + 1));
    }
    this.#at += 1;
    // Names such as __proto__ are names like others here.
    node.value = Object.fromEntries([...node.members].map(([name, { value }]) => [name, value]));
    return node;
  }

  #array(depth: number): JsonNode {
    const node = this.#leaf(null);
    this.#at += 1;
    while (this.#next() !== ']') {
      this.#separator(node.items.length > 0, ']');
      node.items.push(this.#value(depth + 1));
    }
    this.#at += 1;
    node.value = node.items.map(({ value }) => value);
    return node;
  }

  #separator(isWanted: boolean, end: string): void {
    if (!isWanted) {
      return;
    }
    if (this.#next() !== ',') {
      throw new SyntaxError(`, or ${end} is expected.`);
    }
    this.#at += 1;
    if (this.#next() === end) {
      throw new SyntaxError(`There is a comma before ${end}.`);
    }
  }
}

/** What a text in quotes says; null if it is none. */
function textOf(quoted: string): string | null {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** A number without exponent, every digit kept; null if that would be very long. */
export function plainNumber(text: string): string | null {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? [];
  const shift = Number(power);
  if (match === null || whole.length + fraction.length + Math.abs(shift) > MAX_DIGITS) {
    return null;
  }
  if (shift === 0) {
    return `${text === '-0' ? '' : sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }
  const point = whole.length + shift;
  const digits = (whole + fraction).padEnd(point, '0');
  const padded = point > 0 ? digits : digits.padStart(digits.length - point + 1, '0');
  const at = Math.max(point, 1);
  const front = padded.slice(0, at).replace(/^0+(?=[0-9])/, '');
  const back = padded.slice(at);
  return `${sign}${front}${back === '' ? '' : `.${back}`}`;
}
