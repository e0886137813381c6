/** What a rule looks like in one line, and what an array row is repeated for. */

import type { Rule, SourceNode, TargetNode } from './model';
import { fitsTarget, lastStep, leadOf, loopsOf, pathInWords, shortPath, sourcesOf } from './paths';

/** `text`: as it is shown; `words`: as it is read out. Of a rule it is never dashed. */
export interface Chip {
  text: string;
  words: string;
  dashed: false;
}

/** The chip of a rule; `nodes`: rows of the source by their paths. */
export function chip(rule: Rule, nodes: ReadonlyMap<string, SourceNode>): Chip {
  const marks = marksOf(rule);
  return {
    text: [sourceText(rule), ...marks.map(([text]) => text)].join(' '),
    words: [sourceInWords(rule, nodes), ...marks.map(([, words]) => words)].join(', '),
    dashed: false,
  };
}

function sourceText(rule: Rule): string {
  if (rule.formula !== undefined) return `= ${rule.formula}`;
  return rule.src === undefined
    ? `= ${JSON.stringify(rule.const ?? null)}`
    : sourcesOf(rule.src).map(shortPath).join(' + ');
}

function sourceInWords(rule: Rule, nodes: ReadonlyMap<string, SourceNode>): string {
  if (rule.formula !== undefined) {
    return `by the formula ${rule.formula}`;
  }
  if (rule.src === undefined) {
    return `always ${JSON.stringify(rule.const ?? null)}`;
  }
  const names = sourcesOf(rule.src).map((path) => {
    const name = nodes.get(path)?.name ?? '';
    return name === '' ? pathInWords(path) : `${pathInWords(path)}, ${name}`;
  });
  return `from ${names.join(' and ')}`;
}

/** What is done with the value: short, and in words. */
function marksOf(rule: Rule): [string, string][] {
  const marks: [string, string][] = [];
  if (rule.transform !== undefined && rule.transform !== 'none') {
    marks.push([rule.transform, `transform ${rule.transform}`]);
  }
  if (rule.lookup !== undefined) {
    marks.push(['lookup', `lookup in ${rule.lookup.table_id ?? 'a table'}`]);
  }
  for (const { op } of rule.then ?? []) {
    marks.push([op, `then ${op}`]);
  }
  if (rule.when !== undefined) {
    marks.push([`when ${rule.when}`, `only when ${rule.when}`]);
  }
  return marks;
}

/** What an array is repeated for. `loops`: several if its rules do not agree. */
export interface ForEach {
  loops: string[];
  text: string;
}

/** Derive what an array row is repeated for from the rules that write into it; null: nothing. */
export function forEach(array: TargetNode, rules: readonly Rule[]): ForEach | null {
  const level = loopsOf(array.id).length - 1;
  const loops = new Set<string>();
  for (const rule of rules) {
    const own = loopsOf(rule.tgt)[level];
    const loop = loopsOf(leadOf(rule.src))[level];
    if (own !== undefined && loop !== undefined && fitsTarget(array.id, own)) {
      loops.add(loop);
    }
  }
  const names = [...loops].map(lastStep);
  return names.length === 0 ? null : { loops: [...loops], text: `for each ${names.join(', ')}` };
}
