/** Where the values of a JSON output stand in its text. */

import { escapeName } from './paths';
import type { Spans } from './spans';

/** What is open: an array with the index of its next item, or an object with its next name. */
interface Open {
  path: string;
  index: number;
  name: string | null;
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s[\]{}:,"]+/gs;

/** Add the places of a JSON output. */
export function scanJson(text: string, spans: Spans): void {
  const open: Open[] = [];
  JSON_TOKEN.lastIndex = 0;
  for (let found = JSON_TOKEN.exec(text); found !== null; found = JSON_TOKEN.exec(text)) {
    const [token] = found;
    const take = token.length === 1 ? (TAKERS.get(token) ?? leaf) : leaf;
    take(spans, open, token, found.index);
  }
}

type Take = (spans: Spans, open: Open[], token: string, at: number) => void;

const begin: Take = (spans, open, token, at) => {
  const path = pathIn(open.at(-1));
  spans.open(path, at);
  open.push({ path, index: token === '[' ? 0 : -1, name: null });
};

const end: Take = (spans, open, _, at) => {
  spans.close(at + 1);
  open.pop();
  step(open.at(-1));
};

const TAKERS: ReadonlyMap<string, Take> = new Map([
  ['{', begin],
  ['[', begin],
  ['}', end],
  [']', end],
]);

function leaf(spans: Spans, open: Open[], token: string, at: number): void {
  const top = open.at(-1);
  if (top !== undefined && top.index < 0 && top.name === null) {
    top.name = nameOf(token);
    return;
  }
  spans.add(pathIn(top), at, at + token.length);
  step(top);
}

function nameOf(token: string): string {
  if (!token.includes('\\')) {
    return token.slice(1, -1);
  }
  try {
    const name: unknown = JSON.parse(token);
    return typeof name === 'string' ? name : token;
  } catch {
    return token;
  }
}

function pathIn(top: Open | undefined): string {
  if (top === undefined) {
    return '';
  }
  if (top.index >= 0) {
    return `${top.path}[${top.index}]`;
  }
  const name = escapeName(top.name ?? '');
  return top.path === '' ? name : `${top.path}.${name}`;
}

function step(top: Open | undefined): void {
  if (top !== undefined) {
    top.index += top.index < 0 ? 0 : 1;
    top.name = null;
  }
}
