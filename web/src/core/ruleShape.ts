/** Whether a value has the shape of a rule; what its words mean is checked elsewhere. */

import type { Json, Lookup, Rule, Scalar } from './model';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';

export function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJson(value: unknown): value is Json {
  if (Array.isArray(value)) {
    return value.every(isJson);
  }
  return isScalar(value) || (isObject(value) && Object.values(value).every(isJson));
}

const isPaths: Check = (value) =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText));

const LOOKUP_MEMBERS: ReadonlyMap<string, Member> = new Map(
  Object.entries({
    table: {
      is: (value) => isObject(value) && Object.values(value).every(isScalar),
      must: 'be an object of texts, such as {"EA": "each"}',
    },
    table_id: { is: isText, must: 'be a text' },
    default: { is: isScalar, must: 'be a text' },
    on_miss: { is: isText, must: 'be a text' },
  }),
);

const isRuleLookup: Check = (value) =>
  isObject(value) &&
  Object.entries(value).every(([name, each]) => LOOKUP_MEMBERS.get(name)?.is(each) ?? false);

const isOperations: Check = (value) =>
  Array.isArray(value) &&
  value.every((each: unknown) => isObject(each) && 'op' in each && isText(each.op) && isJson(each));

/** What a member has to be, for programs and for people. */
export interface Member {
  is: Check;
  must: string;
}

/** The members of a rule. */
export const RULE_MEMBERS: ReadonlyMap<string, Member> = new Map([
  ['src', { is: isPaths, must: 'be a path or a list of paths' }],
  ['formula', { is: isText, must: 'be a text' }],
  ['group', { is: isText, must: 'be a formula' }],
  ['sort', { is: isText, must: 'be a formula' }],
  ['where', { is: isText, must: 'be a formula' }],
  ['const', { is: isScalar, must: 'be a text, a number, true, false or null' }],
  ['tgt', { is: isText, must: 'be a path' }],
  ['transform', { is: isText, must: 'be a text' }],
  ['note', { is: isText, must: 'be a text' }],
  ['join', { is: isText, must: 'be a text' }],
  ['default', { is: isScalar, must: 'be a text, a number, true, false or null' }],
  ['required', { is: isFlag, must: 'be true or false' }],
  ['on_missing', { is: isText, must: 'be a text' }],
  ['when', { is: isText, must: 'be a condition' }],
  [
    'lookup',
    { is: isRuleLookup, must: 'be an object with table or table_id, default and on_miss' },
  ],
  ['then', { is: isOperations, must: 'be a list of operations, objects with op' }],
  ['type', { is: isText, must: 'be a text' }],
  ['on_duplicate', { is: isText, must: 'be a text' }],
]);

/** Names that a rule may have besides. */
export const isExtension = (name: string) => name.startsWith('x_');

/** What is wrong with the shape of a rule: the member, `''` for the rule, and in words. */
export function ruleFaults(value: unknown): { member: string; message: string }[] {
  if (!isObject(value)) {
    return [{ member: '', message: 'A rule is an object with src, formula or const, and tgt.' }];
  }
  const faults = Object.entries(value).flatMap(([name, each]) => {
    const member = RULE_MEMBERS.get(name);
    if (member === undefined) {
      return isExtension(name) && isJson(each)
        ? []
        : [{ member: name, message: `${name} is not a member of a rule.` }];
    }
    return member.is(each) ? [] : [{ member: name, message: `${name} must ${member.must}.` }];
  });
  return 'tgt' in value
    ? faults
    : [...faults, { member: '', message: 'A rule needs tgt, the path it writes to.' }];
}

export function isRule(value: unknown): value is Rule {
  return ruleFaults(value).length === 0;
}

export function isLookup(value: unknown): value is Lookup {
  if (!isObject(value) || !('name' in value && 'rows' in value)) {
    return false;
  }
  const { name, rows } = value;
  return isText(name) && Array.isArray(rows) && rows.every(isLookupRow);
}

const isLookupRow: Check = (row) =>
  isObject(row) && 'from' in row && 'to' in row && isText(row.from) && isText(row.to);

/** The rules of an answer, `field_map`; a member that is null counts as absent. */
export function rulesFrom(values: readonly unknown[]): { rules: Rule[]; faults: string[] } {
  const rules: Rule[] = [];
  const faults: string[] = [];
  values.map(withoutNulls).forEach((value, index) => {
    if (isRule(value)) {
      rules.push(value);
    } else {
      faults.push(...ruleFaults(value).map(({ message }) => `Rule ${index}: ${message}`));
    }
  });
  return { rules, faults };
}

// Of const and default null is a value.
function withoutNulls(value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          ([name, each]) => each !== null || name === 'const' || name === 'default',
        ),
      )
    : value;
}
