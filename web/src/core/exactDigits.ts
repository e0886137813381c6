/**
 * Rules of a saved map whose numbers a browser would round. `JSON.parse` makes 9.5 of 9.50, and a
 * map that is loaded and saved would then convert otherwise than before.
 */

import { type JsonNode, readJson } from './jsonText';
import type { Json } from './model';

/**
 * The same answer, with such numbers as texts. A rule that would write one as a JSON number
 * (type raw) gets type number, which writes the digits of the text.
 */
export function withExactDigits(answer: string): string {
  const { root } = readJson(answer);
  const rules = root?.members.get('map')?.members.get('field_map')?.items ?? [];
  if (root === null || !rules.some(isRounded)) return answer;
  for (const rule of rules.filter(isRounded)) writeAsNumber(rule.value);
  return JSON.stringify(root.value);
}

function isRounded(rule: JsonNode): boolean {
  return ['const', 'default'].some((name) => rule.members.get(name)?.exact === true);
}

function writeAsNumber(rule: Json): void {
  const isObject = typeof rule === 'object' && rule !== null && !Array.isArray(rule);
  if (isObject && rule.type === 'raw') rule.type = 'number';
}
