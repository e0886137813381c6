/** Output as people read it. Only white space is put between parts; every literal stays as it is. */
import type { Format } from '../core/model';

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

function prettyXml(text: string): string {
  let depth = 0;
  const parts: string[] = [];
  let before = '';
  for (const [token] of text.matchAll(/<[^>]*>|[^<]+/g)) {
    const closes = token.startsWith('</');
    if (closes) depth -= 1;
    const afterTag = before === 'open' ? token.startsWith('<') && !closes : before === 'end';
    if (afterTag) parts.push(`\n${INDENT.repeat(Math.max(0, depth))}`);
    parts.push(token);
    const opens = token.startsWith('<') && !closes && !/^<[?!]|\/>$/.test(token);
    if (opens) depth += 1;
    before = opens ? 'open' : token.startsWith('<') ? 'end' : 'text';
  }
  return parts.join('');
}

const FORMATS: Record<Format, (text: string) => string> = {
  json: prettyJson,
  x12: prettyX12,
  xml: prettyXml,
  csv: (text) => text,
};

/** The output of a map with lines for its parts. */
export function formatted(text: string, format: Format): string {
  return FORMATS[format](text);
}
