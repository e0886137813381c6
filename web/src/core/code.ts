/** The rules as text, both ways. */

import { type Fault, type JsonNode, readJson } from './jsonText';
import type { Rule } from './model';
import { isExtension, isRule, RULE_MEMBERS, ruleFaults } from './ruleShape';

const MAX_LINE_CHARS = 100;
const MAX_NAME_CHARS = 40;

/** Write rules as JSON, a rule on one line where it fits. */
export function printRules(rules: readonly Rule[]): string {
  const lines = rules.map((rule) => {
    // Line feeds of values are escaped, so these are only those between members.
    const short = JSON.stringify(rule, null, 1).replace(/\n\s*/g, ' ');
    const long = JSON.stringify(rule, null, 2).replace(/\n/g, '\n  ');
    return `  ${short.length <= MAX_LINE_CHARS ? short : long}`;
  });
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

/** Read rules; or all that is wrong with the text, by line from 1. */
export function parseRules(text: string): { rules: Rule[] } | { errors: Fault[] } {
  const { root, faults } = readJson(text);
  if (root === null) {
    return { errors: faults };
  }
  if (!Array.isArray(root.value)) {
    return { errors: [{ line: root.line, message: 'The rules are a list: [ … ].' }] };
  }
  const errors = [...faults, ...root.items.flatMap(faultsOf)];
  const values: unknown[] = root.items.map(({ value }) => value);
  const rules = values.filter(isRule);
  return errors.length === 0
    ? { rules }
    : { errors: errors.sort((one, other) => one.line - other.line) };
}

function faultsOf(rule: JsonNode): Fault[] {
  const shape = ruleFaults(rule.value).map(({ member, message }) => ({
    line: rule.members.get(member)?.line ?? rule.line,
    message: RULE_MEMBERS.has(member) || member === '' ? message : message + hint(member),
  }));
  return [...shape, ...lostDigits(rule)];
}

/** A number that only its text keeps, where the rule would write it as a JSON number. */
function lostDigits(rule: JsonNode): Fault[] {
  const isRaw = rule.members.get('type')?.value === 'raw';
  return ['const', 'default'].flatMap((name) => {
    const member = rule.members.get(name);
    return isRaw && member?.exact === true
      ? [
          {
            line: member.line,
            message: `As a number, ${name} would lose digits: write "${String(member.value)}" with type number.`,
          },
        ]
      : [];
  });
}

/** The name that was meant, if one is near. */
function hint(name: string): string {
  const near = [...RULE_MEMBERS.keys()].find(
    (known) => distance(known, name.slice(0, MAX_NAME_CHARS).toLowerCase()) <= 2,
  );
  return near === undefined || isExtension(name) ? '' : ` Did you mean ${near}?`;
}

/** How many characters have to be changed, added or left out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, mine] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, theirs] of [...other].entries()) {
      const changed = (row[column] ?? 0) + (mine === theirs ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
