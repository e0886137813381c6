/** Output as people read it. Only white space is put between parts; every literal stays as it is. */
import type { Format } from '../core/model';
import { visibleText } from '../core/visible';

const INDENT = '  ';

/** JSON text with a line for each member. A text that is not JSON comes out with the same characters. */
export function prettyJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/gs);
  let before = '';
  for (const [token] of tokens) {
    if (token === '}' || token === ']') depth -= 1;
    parts.push(gap(before, token, depth), token);
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return parts.join('');
}

function gap(before: string, token: string, depth: number): string {
  const opened = before === '{' || before === '[';
  const closes = token === '}' || token === ']';
  if (opened && closes) return '';
  if (opened || closes || before === ',') return `\n${INDENT.repeat(Math.max(0, depth))}`;
  return before === ':' ? ' ' : '';
}

function prettyX12(text: string): string {
  const terminator = text.startsWith('ISA') ? (text[105] ?? '') : '';
  if (terminator === '' || terminator === '\n' || text[106] === '\n') return text;
  return text.replaceAll(terminator, `${terminator}\n`);
}

// Sections of plain text and comments count as text: nothing is put into them.
const XML_TOKEN = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<[^>]*>|[^<]+/g;

type XmlKind = 'open' | 'close' | 'empty' | 'text';

function xmlKind(token: string): XmlKind {
  if (!token.startsWith('<') || token.startsWith('<!')) return 'text';
  if (token.startsWith('</')) return 'close';
  return token.startsWith('<?') || token.endsWith('/>') ? 'empty' : 'open';
}

function prettyXml(text: string): string {
  let depth = 0;
  let before: XmlKind = 'text';
  const parts: string[] = [];
  for (const [token] of text.matchAll(XML_TOKEN)) {
    const kind = xmlKind(token);
    if (kind === 'close') depth -= 1;
    const isFilled = before === 'text' || kind === 'text';
    const isEmptyPair = before === 'open' && kind === 'close';
    if (!isFilled && !isEmptyPair) parts.push(`\n${INDENT.repeat(Math.max(0, depth))}`);
    parts.push(token);
    if (kind === 'open') depth += 1;
    before = kind;
  }
  return parts.join('');
}

const FORMATS: Record<Format, (text: string) => string> = {
  json: prettyJson,
  x12: prettyX12,
  xml: prettyXml,
  csv: (text) => text,
};

/** A text whose characters that cannot be seen stand as names; line ends stay. */
export function withNames(text: string): string {
  return text
    .split(/(\r?\n)/)
    .map((line, index) => (index % 2 === 1 ? line : visibleText(line)))
    .join('');
}

/** The output of a map with lines for its parts. */
export function formatted(text: string, format: Format): string {
  return FORMATS[format](text);
}
