/** Where the texts and attributes of an XML output stand in it. */

import { escapeName } from './paths';
import type { Spans } from './spans';

const XML_TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([^\s/>!?]+)((?:"[^"]*"|'[^']*'|[^"'>])*?)(\/?)>/g;
const XML_ATTRIBUTE = /([^\s=]+)(\s*=\s*)("[^"]*"|'[^']*')/g;

interface OpenElement {
  path: string;
  counts: Map<string, number>;
  hasElements: boolean;
}

/** Add the places of an XML output. */
export function scanXml(text: string, spans: Spans): void {
  const open: OpenElement[] = [];
  for (const { 0: token, 1: slash, 2: name, 3: attributes = '', index } of text.matchAll(
    XML_TOKEN,
  )) {
    if (name !== undefined && slash === '/') {
      const element = open.pop();
      spans.close(element?.hasElements === false ? index : index + token.length);
    } else if (name !== undefined) {
      begin(spans, open, { name, attributes, token, index });
    }
  }
}

interface Tag {
  name: string;
  attributes: string;
  token: string;
  index: number;
}

// The span of an element without attributes begins with its text.
function begin(spans: Spans, open: OpenElement[], { name, attributes, token, index }: Tag): void {
  const end = index + token.length;
  const element = entered(open.at(-1), name);
  spans.open(element.path, attributes.trim() === '' ? end : index);
  addAttributes(spans, element.path, attributes, index + 1 + name.length);
  if (token.endsWith('/>')) {
    spans.close(end);
  } else {
    open.push(element);
  }
}

function entered(parent: OpenElement | undefined, name: string): OpenElement {
  const local = escapeName(name);
  const number = (parent?.counts.get(local) ?? 0) + 1;
  if (parent !== undefined) {
    parent.counts.set(local, number);
    parent.hasElements = true;
  }
  const above = parent === undefined ? '' : `${parent.path}.`;
  const path = `${above}${local}${number === 1 ? '' : `[${number}]`}`;
  return { path, counts: new Map(), hasElements: false };
}

function addAttributes(spans: Spans, path: string, text: string, start: number): void {
  for (const { 1: name = '', 2: equals = '', 3: value = '', index } of text.matchAll(
    XML_ATTRIBUTE,
  )) {
    const from = start + index + name.length + equals.length + 1;
    spans.add(`${path}.@${escapeName(name)}`, from, from + value.length - 2);
  }
}
