/**
 * Source and target paths as far as showing and joining them needs: where their brackets are,
 * which wildcards they have, how they read in words. Whether a path is right the server says.
 */

import type { Format } from './model';

/** A piece of a path; `inside`: what stands in the brackets of a bracket. */
export interface Piece {
  kind: 'text' | 'bracket';
  text: string;
  inside: string;
  start: number;
  end: number;
}

/** Cut a path at its brackets. Escapes in names and quotes in conditions are respected. */
export function pieces(path: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  while (at < path.length) {
    const end = path[at] === '[' ? bracketEnd(path, at) : textEnd(path, at);
    const text = path.slice(at, end);
    const kind = path[at] === '[' ? 'bracket' : 'text';
    const inside = kind === 'bracket' ? text.slice(1, text.endsWith(']') ? -1 : undefined) : '';
    found.push({ kind, text, inside, start: at, end });
    at = end;
  }
  return found;
}

function textEnd(path: string, start: number): number {
  let at = start;
  while (at < path.length && path[at] !== '[') {
    at += path[at] === '\\' ? 2 : 1;
  }
  return Math.min(at, path.length);
}

// Names in conditions are escaped as elsewhere, but values are bare or stand in quotes.
function bracketEnd(path: string, start: number): number {
  let at = start + 1;
  while (at < path.length && path[at] !== ']') {
    if (path[at] === '=') {
      at = valuesEnd(path, at + 1);
    } else {
      at += path[at] === '\\' ? 2 : 1;
    }
  }
  return Math.min(at + 1, path.length);
}

const VALUES = /(?:'(?:[^']|'')*'|[^,|\]'*]*)(?:\|(?:'(?:[^']|'')*'|[^,|\]'*]*))*/y;

function valuesEnd(path: string, start: number): number {
  VALUES.lastIndex = start;
  VALUES.exec(path);
  return Math.max(VALUES.lastIndex, start);
}

/** For each wildcard the text up to it, outermost first: `PO1[*]`, `PO1[*]>PID[*]`. */
export function loopsOf(path: string): string[] {
  if (!path.includes('[*]')) {
    return [];
  }
  return pieces(path)
    .filter((piece) => piece.inside === '*')
    .map((piece) => path.slice(0, piece.end));
}

/** How many wildcards a path has. */
export function wildcardCount(path: string): number {
  return loopsOf(path).length;
}

/** The sources of a rule; none of a constant. */
export function sourcesOf(src: string | string[] | undefined): string[] {
  return src === undefined ? [] : typeof src === 'string' ? [src] : src;
}

/** A source that has most wildcards, of a rule; `''` of a constant. */
export function leadOf(src: string | string[] | undefined): string {
  const paths = sourcesOf(src);
  let lead = paths[0] ?? '';
  for (const path of paths) {
    lead = wildcardCount(path) > wildcardCount(lead) ? path : lead;
  }
  return lead;
}

/** Replace wildcards from the `keep`-th on by the first or the last of what they mean. */
export function narrowed(
  path: string,
  format: Format,
  keep: number,
  which: 'first' | 'last',
): string {
  const instead = which === 'last' ? '[-1]' : FIRST_OF[format];
  const kept = new Set(loopsOf(path).slice(0, keep));
  const text = pieces(path)
    .map((each) =>
      each.inside === '*' && !kept.has(path.slice(0, each.end)) ? instead : each.text,
    )
    .join('');
  return format === 'csv' && text.startsWith('row/') ? text.slice('row/'.length) : text;
}

const FIRST_OF: Readonly<Record<Format, string>> = { x12: '', json: '[0]', xml: '', csv: '' };

/** Replace the wildcards of a target from the `keep`-th on by the first place. */
export function firstPlace(tgt: string, format: Format, keep: number): string {
  return narrowed(tgt, format === 'csv' ? 'x12' : format, keep, 'first');
}

const INDEX = /^-?[0-9]+$/;

/** A step of a target path. `indexes`: what stands in its brackets. */
export interface TargetStep {
  name: string;
  indexes: string[];
}

/** The steps of a target path, names as they are written; the element of an X12 path is one. */
export function targetSteps(tgt: string): TargetStep[] {
  const steps: TargetStep[] = [{ name: '', indexes: [] }];
  for (const piece of pieces(tgt)) {
    if (piece.kind === 'bracket') {
      steps.at(-1)?.indexes.push(piece.inside);
      continue;
    }
    const [first = '', ...others] = stepsOf(piece.text);
    const last = steps.at(-1);
    if (last !== undefined) {
      last.name += first;
    }
    steps.push(...others.map((name) => ({ name, indexes: [] })));
  }
  return steps;
}

/** Where points and angle brackets stand in a text that are no part of a name. */
export function separatorsOf(text: string): number[] {
  return [...text.matchAll(/\\[\s\S]|[.>]/g)].flatMap(({ 0: mark, index }) =>
    mark.length === 1 ? index : [],
  );
}

function stepsOf(text: string): string[] {
  const starts = [0, ...separatorsOf(text).map((at) => at + 1)];
  return starts.map((start, at) => text.slice(start, (starts[at + 1] ?? text.length + 1) - 1));
}

/** The pattern of a place: every index is a wildcard, as in `items[*].qty` of `items[1].qty`. */
export function targetPattern(tgt: string): string {
  if (!tgt.includes('[')) {
    return tgt;
  }
  return pieces(tgt)
    .map((piece) => (INDEX.test(piece.inside) ? '[*]' : piece.text))
    .join('');
}

/** A path without indexes and wildcards: what a pattern and its places have in common. */
export function bareTarget(tgt: string): string {
  if (!tgt.includes('[')) {
    return tgt;
  }
  return pieces(tgt)
    .filter((piece) => piece.inside !== '*' && !INDEX.test(piece.inside))
    .map((piece) => piece.text)
    .join('');
}

/** Whether a target path writes to the row of a pattern: `items[0].qty` to `items[*].qty`. */
export function fitsTarget(pattern: string, tgt: string): boolean {
  if (pattern === tgt) {
    return true;
  }
  if (!pattern.includes('[*]') || bareTarget(pattern) !== bareTarget(tgt)) {
    return false;
  }
  const places = targetSteps(tgt);
  return targetSteps(pattern).every((step, at) =>
    step.indexes.every((index, depth) => index === '*' || index === places[at]?.indexes[depth]),
  );
}

const SPECIAL = /[\\.[\]/*>@{]/;

/** Write a name as paths have it: `\` before each of `\ . [ ] / * > @ {`. */
export function escapeName(name: string): string {
  return SPECIAL.test(name) ? name.replace(/[\\.[\]/*>@{]/g, '\\$&') : name;
}

/** A name without its escapes. */
export function unescapeName(name: string): string {
  return name.replace(/\\([\s\S])/g, '$1');
}

/** A value of a condition, in quotes if it has to be. */
export function conditionValue(value: string): string {
  return /[,|\]'*]/.test(value) ? `'${value.replaceAll("'", "''")}'` : value;
}

/** The last step of a path without index: `PID` of `PO1[*]>PID[*]`, `Line` of `Order.Line[*]`. */
export function lastStep(path: string): string {
  const bare = pieces(path)
    .filter((piece) => piece.kind === 'text')
    .map((piece) => piece.text)
    .join('');
  const steps = bare.split(/(?<!\\)[.>:/]/).filter((step) => step !== '');
  return unescapeName(steps.at(-1) ?? bare);
}

/**
 * A path as a chip shows it: conditions behind it, wildcards left out.
 * `N1[01=ST]>N4.01` gives `N4.01 if N1.01=ST`; `N1[01=ST].02` gives `N1.02 if 01=ST`.
 */
export function shortPath(path: string): string {
  const conditions: string[] = [];
  let plain = '';
  for (const piece of pieces(path)) {
    if (isCondition(piece)) {
      conditions.push(conditionOf(plain, piece.inside));
    } else if (piece.inside !== '*') {
      plain += piece.text;
    }
  }
  const last = plain.split(/>>?|:/).at(-1) ?? plain;
  const own = `${last.split(/[.[]/)[0] ?? ''}.`;
  const named = conditions.map((each) => (each.startsWith(own) ? each.slice(own.length) : each));
  return named.length === 0 ? last : `${last} if ${named.join(', ')}`;
}

function isCondition(piece: Piece): boolean {
  return piece.kind === 'bracket' && piece.inside !== '*' && !INDEX.test(piece.inside);
}

function conditionOf(before: string, inside: string): string {
  const tag = before.split(/>>?|:|\/|\./).at(-1) ?? before;
  return `${tag}.${inside}`;
}

/** A path in words: `02 of N1 where 01 is ST, for each PO1`. */
export function pathInWords(path: string): string {
  const parts: string[] = [];
  const where: string[] = [];
  let plain = '';
  for (const piece of pieces(path)) {
    if (piece.kind === 'text') {
      plain += piece.text;
    } else if (piece.inside === '*') {
      parts.push(`for each ${lastStep(path.slice(0, piece.end))}`);
    } else if (INDEX.test(piece.inside)) {
      parts.push(indexInWords(piece.inside, lastStep(path.slice(0, piece.end))));
    } else {
      where.push(inWords(piece.inside, lastStep(plain)));
    }
  }
  const last = unescapeName(plain.split(/>>?|:/).at(-1) ?? plain);
  const condition = where.length === 0 ? '' : ` where ${where.join(' and ')}`;
  return [last + condition, ...parts].join(', ');
}

function indexInWords(index: string, step: string): string {
  return index === '-1' ? `the last ${step}` : `${step} number ${index}`;
}

function inWords(condition: string, step: string): string {
  return condition
    .split(',')
    .map((each) => {
      const [name = '', value = ''] = each.split(/!?=/);
      const verb = each.includes('!=') ? 'is not' : 'is';
      const words = value.split('|').join(' or ');
      return /^[0-9]{2}/.test(name)
        ? `${step}.${name} ${verb} ${words}`
        : `${name} ${verb} ${words}`;
    })
    .join(' and ');
}
