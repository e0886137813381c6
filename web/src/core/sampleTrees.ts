/**
 * A target sample, read as the server reads documents for showing: the same nodes, so that the
 * same rows are made of it. What cannot be read gives a fault with its place.
 */

import type { InspectNode } from './model';
import { escapeName } from './paths';

export type SampleTree = { tree: InspectNode[] } | { fault: string };

const MAX_DEPTH = 64;

export function node(path: string, code: string, kind: string): InspectNode {
  return {
    path,
    code,
    kind,
    name: '',
    type: null,
    value: null,
    required: false,
    count: 1,
    qualifier: null,
    children: [],
  };
}

/** Read a JSON sample. */
export function jsonTree(text: string): SampleTree {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? { tree: [jsonNode('', '', value, 0)] }
      : { fault: 'The sample must be a JSON object or array.' };
  } catch (error) {
    return { fault: error instanceof Error ? `Not JSON: ${error.message}` : 'Not JSON.' };
  }
}

function jsonNode(path: string, code: string, value: unknown, depth: number): InspectNode {
  if (depth > MAX_DEPTH) {
    throw new Error(`it is nested deeper than ${MAX_DEPTH} levels`);
  }
  if (Array.isArray(value)) {
    const children = value.map((item: unknown, at) =>
      jsonNode(`${path}[${at}]`, `[${at}]`, item, depth + 1),
    );
    return { ...node(path, code, 'array'), type: 'array', children };
  }
  if (typeof value === 'object' && value !== null) {
    const children = Object.entries(value).map(([name, member]) =>
      jsonNode(path + (path === '' ? '' : '.') + escapeName(name), name, member, depth + 1),
    );
    return { ...node(path, code, 'object'), type: 'object', children };
  }
  const type = value === null ? 'null' : typeof value;
  return { ...node(path, code, 'member'), type, value: value === null ? null : String(value) };
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITY = /&(?:#([0-9]{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Read an XML sample: elements, attributes and texts, names without their prefixes. */
export function xmlTree(text: string): SampleTree {
  const reader = new XmlReader();
  TOKEN.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    const fault = token === null ? 'this is not XML' : reader.take(token);
    if (fault !== '') {
      const line = text.slice(0, at).split('\n').length;
      return { fault: `Not XML, line ${line}: ${fault}.` };
    }
  }
  const { root, isOpen } = reader;
  return root === null || isOpen ? { fault: 'Not XML: the end is missing.' } : { tree: [root] };
}

class XmlReader {
  root: InspectNode | null = null;
  readonly #open: { element: InspectNode; name: string; counts: Map<string, number> }[] = [];

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Take a token; the text says what is wrong with it, `''` if nothing is. */
  take(token: RegExpExecArray): string {
    const [, cdata, closed, opened, attributes = '', slash, text] = token;
    if (closed !== undefined) {
      return this.#close(closed);
    }
    if (opened !== undefined) {
      return this.#begin(opened, attributes, slash === '/');
    }
    return this.#text(cdata ?? decoded(text ?? ''));
  }

  #begin(name: string, attributes: string, isEmpty: boolean): string {
    const parent = this.#open.at(-1);
    if ((parent === undefined && this.root !== null) || this.#open.length >= MAX_DEPTH) {
      return parent === undefined ? 'a document can have only one root' : 'it is nested too deep';
    }
    const local = localName(name);
    const step = escapeName(local) + numberOf(parent?.counts, local);
    const above = parent === undefined ? '' : `${parent.element.path}.`;
    const element = node(above + step, local, 'element');
    element.children = attributesOf(element.path, attributes);
    this.root ??= element;
    parent?.element.children.push(element);
    if (!isEmpty) {
      this.#open.push({ element, name, counts: new Map() });
    }
    return '';
  }

  #close(name: string): string {
    const last = this.#open.pop();
    if (last?.name !== name) {
      return `</${name}> has no start tag`;
    }
    const { element } = last;
    const isWrapper = element.children.some((child) => child.kind === 'element');
    const value = isWrapper ? (element.value ?? '').trim() : (element.value ?? '');
    element.value = value === '' ? null : value;
    element.type = value === '' ? null : 'string';
    return '';
  }

  #text(text: string): string {
    const last = this.#open.at(-1);
    if (last !== undefined) {
      last.element.value = (last.element.value ?? '') + text;
    }
    return last === undefined && text.trim() !== '' ? 'there is text outside the root' : '';
  }
}

function numberOf(counts: Map<string, number> | undefined, name: string): string {
  const number = (counts?.get(name) ?? 0) + 1;
  counts?.set(name, number);
  return number === 1 ? '' : `[${number}]`;
}

function attributesOf(path: string, text: string): InspectNode[] {
  return [...text.matchAll(ATTRIBUTE)]
    .filter(([, name = '']) => name !== 'xmlns' && !name.startsWith('xmlns:'))
    .map(([, name = '', quoted, single]) => ({
      ...node(`${path}.@${escapeName(localName(name))}`, `@${localName(name)}`, 'attribute'),
      type: 'string',
      value: decoded(quoted ?? single ?? ''),
    }));
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

function decoded(text: string): string {
  return text.replace(ENTITY, (all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) {
      return NAMED[name] ?? all;
    }
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** Read a CSV sample: its header, and the first record after it. */
export function csvTree(text: string): SampleTree {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  const [header = [], first = []] = records(body, delimiterOf(body), 2);
  const names = header.map((name, at) => name || `c${String(at + 1).padStart(2, '0')}`);
  const cells = names
    .map((name, at) => ({ ...node(escapeName(name), name, 'cell'), value: first[at] ?? '' }))
    .filter((_, at) => names.indexOf(names[at] ?? '') === at);
  return header.length === 0
    ? { fault: 'The sample must begin with a header of column names.' }
    : { tree: cells };
}

function delimiterOf(text: string): string {
  const line = text.replace(/"[^"]*"/g, '').split(/\r?\n/, 1)[0] ?? '';
  const counts = [',', ';', '\t', '|'].map((each) => ({ each, count: line.split(each).length }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).each;
}

/** The first records of a CSV text. */
function records(text: string, delimiter: string, most: number): string[][] {
  const found: string[][] = [];
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${delimiter}\r\n]*))(${delimiter === '|' ? '\\|' : delimiter}|\r?\n|$)`,
    'y',
  );
  let row: string[] = [];
  while (found.length < most && cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) {
      return found;
    }
    row.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] !== delimiter) {
      found.push(row);
      row = [];
    }
  }
  return found;
}
