/**
 * JSON as text, without reading its values: a number that a browser would round stays as it was
 * written. All functions take text that `JSON.parse` takes.
 */

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
const OPENING = new Set(['{', '[']);
const CLOSING = new Set(['}', ']']);

/** `depth`: of what stands around the token; brackets belong to what is around them. */
interface Token {
  text: string;
  index: number;
  depth: number;
}

function* tokensOf(json: string): Generator<Token> {
  let depth = 0;
  for (const { 0: text, index } of json.matchAll(TOKEN)) {
    if (CLOSING.has(text)) depth -= 1;
    yield { text, index, depth };
    if (OPENING.has(text)) depth += 1;
  }
}

/** The members of an object in order, each value as its text. */
export function rawMembers(json: string): [name: string, value: string][] {
  const members: [string, string][] = [];
  let name: string | null = null;
  let start = 0;
  const end = (index: number) => {
    if (name !== null) members.push([name, json.slice(start, index).trim()]);
    name = null;
  };
  let before = '';
  for (const { text, index, depth } of tokensOf(json)) {
    if (depth === 0 && text === '}') end(index);
    if (depth !== 1) continue;
    if (text === ',') end(index);
    if (text === ':') {
      name = stringOf(before);
      start = index + 1;
    }
    before = text;
  }
  return members;
}

function stringOf(token: string): string {
  const value: unknown = JSON.parse(token);
  return typeof value === 'string' ? value : '';
}

/** An object of members whose values are texts. */
export function objectText(members: Iterable<readonly [name: string, value: string]>): string {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** The same text, a member or item a line. */
export function indentedJson(json: string): string {
  const parts: string[] = [];
  let before = '';
  for (const { text, depth } of tokensOf(json)) {
    if (beginsLine(before, text)) parts.push(`\n${'  '.repeat(depth)}`);
    parts.push(text === ':' ? ': ' : text);
    before = text;
  }
  return parts.join('');
}

// An empty object or array stays on its line.
function beginsLine(before: string, text: string): boolean {
  return CLOSING.has(text) ? !OPENING.has(before) : OPENING.has(before) || before === ',';
}
