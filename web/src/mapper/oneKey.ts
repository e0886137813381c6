/** A first map that gives every field of a document a key of its own. */
import type { Rule, SourceNode } from '../core/model';
import { escapeName, lastStep } from '../core/paths';
import { allRows } from '../core/source';

/** Such as `n1_st_name` of `N1[01=ST].02`. */
function keyOf(node: SourceNode, branch: string): string {
  const words = [branch, node.code, node.name].filter((word) => word !== '').join(' ');
  const key = words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return key === '' ? 'field' : key;
}

function unique(key: string, taken: Set<string>): string {
  let found = key;
  for (let number = 2; taken.has(found); number += 1) found = `${key}_${number}`;
  taken.add(found);
  return found;
}

/** The array that a loop becomes: `po1[*]`, `po1[*].pid[*]`. */
function arrayOf(loops: string[]): string {
  return loops.map((loop) => `${escapeName(lastStep(loop).toLowerCase())}[*].`).join('');
}

/** Rules for all fields that have a value; the envelope is left out. */
export function oneKeyPerField(tree: SourceNode[]): Rule[] {
  const taken = new Set<string>();
  const rules: Rule[] = [];
  for (const node of allRows(tree)) {
    if (node.envelope || node.path === null || node.again === true) continue;
    if (!node.values.some((value) => value !== '')) continue;
    const array = arrayOf(node.loops);
    const branch = /\[[0-9]{2}=([^\]]+)\]/.exec(node.path)?.[1] ?? '';
    const key = unique(array + escapeName(keyOf(node, branch)), taken);
    rules.push({ src: node.path, tgt: key });
  }
  return rules;
}
