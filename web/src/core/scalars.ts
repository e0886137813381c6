/** Literals of rules, `const` and `default`, as they are shown, typed and changed in fields. */

import { readJson } from './jsonText';
import type { Rule, RulePatch, Scalar } from './model';

/** What a literal is; `none`: the rule has none. */
export type ScalarKind = 'none' | 'text' | 'number' | 'true' | 'false' | 'null';
/** The members of a rule that are literals. */
export type LiteralName = 'const' | 'default';

/** The kind of a literal, undefined where there is none. */
export function kindOf(value: Scalar | undefined): ScalarKind {
  if (value === undefined) return 'none';
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : value ? 'true' : 'false';
}

/** A literal as it is typed; null where nothing can be typed, since its kind says it all. */
export function typedText(value: Scalar | undefined): string | null {
  if (value === undefined) return '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/**
 * What typing a text changes: a number stays one as long as the text reads as one, all else is a
 * text. A default that is emptied goes.
 */
export function typedPatch(rule: Rule, name: LiteralName, text: string): RulePatch {
  if (name === 'default' && text === '') return { default: undefined };
  return typeof rule[name] === 'number' ? numberPatch(rule, name, text) : { [name]: text };
}

/** What choosing another kind changes. A text that is no number becomes 0. */
export function kindPatch(rule: Rule, name: LiteralName, kind: ScalarKind): RulePatch {
  const text = typedText(rule[name]) ?? '';
  if (kind === 'number') return numberPatch(rule, name, isNumber(text) ? text : '0');
  return { [name]: PLAIN[kind](text) };
}

const PLAIN: {
  [Kind in Exclude<ScalarKind, 'number'>]: (text: string) => Scalar | undefined;
} = {
  none: () => undefined,
  text: (text) => text,
  true: () => true,
  false: () => false,
  null: () => null,
};

function numberOf(text: string) {
  const root = readJson(text).root;
  return root !== null && (typeof root.value === 'number' || root.exact) ? root : null;
}

function isNumber(text: string): boolean {
  return numberOf(text) !== null;
}

/** As loading does: digits that a number would lose are kept as a text of type number. */
function numberPatch(rule: Rule, name: LiteralName, text: string): RulePatch {
  const found = numberOf(text);
  if (found === null) return { [name]: text };
  const isText = found.exact && rule.type === 'raw';
  return { [name]: found.exact ? text.trim() : found.value, ...(isText ? { type: 'number' } : {}) };
}

/** A fixed value that is typed for a target of a known type; a text where it reads as no other. */
export function typedConstant(text: string, type: string | null): Pick<Rule, 'const' | 'type'> {
  if (type === 'number' && isNumber(text)) {
    const { const: value = text } = kindPatch({ const: text, tgt: '' }, 'const', 'number');
    return typeof value === 'string' ? { const: value, type: 'number' } : { const: value };
  }
  const isFlag = type === 'boolean' && (text === 'true' || text === 'false');
  return { const: isFlag ? text === 'true' : text };
}
