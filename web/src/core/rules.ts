/**
 * What can be done to the rules of a map. Every way to connect a source and a target, by mouse or
 * by keys, is `connect`. States are values: an operation gives a new one.
 */

import { type Bound, bound, conflicting, mixedLoops, removed } from './connections';
import type {
  ConnectAnswer,
  ConnectResult,
  Done,
  MapState,
  Rule,
  RulePatch,
  Scalar,
  SourceEnd,
  Suggestion,
  TargetEnd,
} from './model';
import { fitsTarget, lastStep, leadOf, loopsOf, shortPath, sourcesOf } from './paths';
import { typedConstant } from './scalars';
import { placeOf, targetFact } from './targetSample';

export { type Chip, chip, type ForEach, forEach } from './chips';

/** `combine`: in addition to what is linked already. `fix`: do what a refusal offered. */
export interface ConnectOptions {
  combine?: boolean;
  answer?: ConnectAnswer;
  fix?: boolean;
}

/** Link a source to a target; every rule that wrote to this target goes. */
export function connect(
  state: MapState,
  source: SourceEnd,
  target: TargetEnd,
  options: ConnectOptions = {},
): ConnectResult {
  const found = bound(state, source, target, options.answer);
  if (found.kind !== 'bound') {
    return found;
  }
  const own = rulesOf(state.field_map, target);
  const first = own.find(({ rule }) => rule.src !== undefined);
  if (options.combine === true && first !== undefined) {
    return combined(state, found, first.index);
  }
  return written(
    state,
    found,
    own.map(({ index }) => index),
    options,
  );
}

function written(
  state: MapState,
  found: Bound,
  own: readonly number[],
  options: ConnectOptions,
): ConnectResult {
  const isFixed = options.fix === true || options.answer?.value === 'fix';
  const mixed = mixedLoops(state, found.rule, own);
  const clash = mixed ?? conflicting(state, found.rule, own);
  if (clash !== null && !isFixed) {
    return { kind: 'refusal', refusal: clash.refusal, fix: clash.fix };
  }
  // What a fix removes may have hidden further rules that are in the way.
  const gone = new Set([...own, ...(clash?.indexes ?? [])]);
  const others = clash === null ? null : conflicting(state, found.rule, [...gone]);
  for (const index of others?.indexes ?? []) {
    gone.add(index);
  }
  const at = own[0] ?? placeOf(state, state.field_map, found.rule.tgt);
  const before = state.field_map.slice(0, at).filter((_, index) => !gone.has(index));
  const after = state.field_map.slice(at).filter((_, index) => !gone.has(index + at));
  return done(
    { ...state, field_map: [...before, found.rule, ...after] },
    found.announcement + replacedWords(state, own, gone),
  );
}

function replacedWords(state: MapState, own: readonly number[], gone: ReadonlySet<number>): string {
  const others = gone.size - own.length;
  const old = own.flatMap((index) => state.field_map[index] ?? []).map(sourceWords);
  const instead = old.length === 0 ? '' : `, in place of ${old.join(' and ')}`;
  return others === 0 ? instead : `${instead}; ${counted(others, 'rule')} removed`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function combined(state: MapState, found: Bound, index: number): ConnectResult {
  const rule = state.field_map[index];
  const path = sourcesOf(found.rule.src)[0] ?? '';
  const paths = sourcesOf(rule?.src);
  if (rule === undefined || paths.includes(path)) {
    return { kind: 'refusal', refusal: `${shortPath(path)} is already linked there.` };
  }
  const lead = loopsOf(leadOf([...paths, path]));
  const isMixed = [...paths, path].some((each) =>
    loopsOf(each).some((loop, at) => loop !== lead[at]),
  );
  if (isMixed || lead.length !== loopsOf(leadOf(paths)).length) {
    const refusal = `${shortPath(path)} and ${paths.map(shortPath).join(', ')} repeat differently.`;
    return { kind: 'refusal', refusal };
  }
  const joined: Rule = { ...rule, src: [...paths, path], join: rule.join ?? ' ' };
  const words = `Added ${shortPath(path)} to ${lastStep(rule.tgt)}`;
  return done(replacedRule(state, index, joined), words);
}

function done(state: MapState, announcement: string): Done {
  return { kind: 'done', state, announcement };
}

function replacedRule(state: MapState, index: number, rule: Rule): MapState {
  return { ...state, field_map: state.field_map.map((each, at) => (at === index ? rule : each)) };
}

/** A rule and its index in the map. */
export interface PlacedRule {
  index: number;
  rule: Rule;
}

/** The rules that write to a target, in their order. */
export function rulesOf(rules: readonly Rule[], target: { path: string | null }): PlacedRule[] {
  const { path } = target;
  return rules.flatMap((rule, index) =>
    path !== null && fitsTarget(path, rule.tgt) ? [{ index, rule }] : [],
  );
}

/** Take a link away; of a target with several sources only the one given. */
export function disconnect(
  state: MapState,
  target: { path: string | null; name: string },
  source?: { path: string | null },
): Done {
  const own = rulesOf(state.field_map, target);
  const path = source?.path ?? null;
  const field_map = state.field_map.flatMap((rule, index) => {
    if (!own.some((each) => each.index === index)) {
      return rule;
    }
    const rest = sourcesOf(rule.src).filter((each) => each !== path);
    const isOther = path !== null && rest.length === sourcesOf(rule.src).length;
    return isOther ? rule : path === null || rest.length === 0 ? [] : withSources(rule, rest);
  });
  return done(
    { ...state, field_map },
    own.length === 0 ? '' : `Removed the link to ${target.name}`,
  );
}

function withSources(rule: Rule, paths: string[]): Rule {
  const { join, ...others } = rule;
  const [only] = paths;
  return paths.length === 1 && only !== undefined
    ? { ...others, src: only }
    : { ...others, src: paths, ...(join === undefined ? {} : { join }) };
}

/** Change members of a rule; undefined ones are taken away. */
export function updateRule(state: MapState, index: number, patch: RulePatch): Done {
  const rule = state.field_map[index];
  if (rule === undefined) {
    return done(state, '');
  }
  const changed = patched(rule, patch);
  return done(replacedRule(state, index, changed), `Changed the rule of ${lastStep(changed.tgt)}`);
}

function patched(rule: Rule, patch: RulePatch): Rule {
  const changed: Rule = { ...rule };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) {
      Reflect.deleteProperty(changed, name);
    } else {
      Reflect.set(changed, name, value);
    }
  }
  return changed;
}

/** Take a rule away. */
export function removeRule(state: MapState, index: number): Done {
  const rule = state.field_map[index];
  const field_map = removed(state.field_map, new Set([index]));
  return done({ ...state, field_map }, rule ? `Removed the rule of ${lastStep(rule.tgt)}` : '');
}

/** Move a rule to another place in the list; of several for one target the last one counts. */
export function moveRule(state: MapState, from: number, to: number): Done {
  const rule = state.field_map[from];
  if (rule === undefined || to < 0 || to >= state.field_map.length) {
    return done(state, '');
  }
  const field_map = removed(state.field_map, new Set([from]));
  field_map.splice(to, 0, rule);
  return done(
    { ...state, field_map },
    `Moved the rule of ${lastStep(rule.tgt)} to position ${to + 1}`,
  );
}

/** Write a fixed value to a target, in place of what is linked to it. */
export function setConstant(
  state: MapState,
  target: TargetEnd,
  value: Scalar,
  options: ConnectOptions = {},
): ConnectResult {
  if (target.path === null) {
    return { kind: 'refusal', refusal: `${target.name} contains other rows, so it has no value.` };
  }
  const type = targetFact(state, target.path)?.type ?? null;
  const literal = typeof value === 'string' ? typedConstant(value, type) : { const: value };
  const rule: Rule = { ...literal, tgt: target.path };
  const own = rulesOf(state.field_map, target).map(({ index }) => index);
  const announcement = `Set ${target.name} to ${JSON.stringify(rule.const)}`;
  return written(state, { kind: 'bound', rule, announcement }, own, options);
}

/** Add the rules of suggestions; targets that have a rule keep it. */
export function acceptSuggestions(state: MapState, list: readonly Suggestion[]): Done {
  const taken = new Set(state.field_map.map(({ tgt }) => tgt));
  const accepted = list.filter(({ tgt }) => !taken.has(tgt) && taken.add(tgt));
  const field_map = [...state.field_map];
  for (const rule of accepted.flatMap(({ rules }) => rules)) {
    field_map.splice(placeOf(state, field_map, rule.tgt), 0, rule);
  }
  const words = `Accepted ${counted(accepted.length, 'suggestion')}`;
  return done({ ...state, field_map }, words);
}

/** Refuse a suggestion for good. */
export function rejectSuggestion(state: MapState, suggestion: { src: string; tgt: string }): Done {
  const key = rejectionKey(suggestion);
  const rejected = state.rejected.includes(key) ? state.rejected : [...state.rejected, key];
  return done(
    { ...state, rejected },
    `Rejected ${shortPath(suggestion.src)} for ${suggestion.tgt}`,
  );
}

/** How a map remembers a refused suggestion. */
export function rejectionKey({ src, tgt }: { src: string; tgt: string }): string {
  return JSON.stringify([src, tgt]);
}

/** The refused suggestions as POST /api/maps/suggest takes them. */
export function rejectedPairs(state: MapState): { src: string; tgt: string }[] {
  return state.rejected.flatMap((key) => {
    const pair: unknown = JSON.parse(key);
    const [src, tgt]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof src === 'string' && typeof tgt === 'string' ? [{ src, tgt }] : [];
  });
}

/** Where the value of a rule comes from, as announcements say it. */
export function sourceWords(rule: Rule): string {
  if (rule.formula !== undefined) return `the formula ${rule.formula}`;
  return rule.src === undefined
    ? JSON.stringify(rule.const ?? null)
    : sourcesOf(rule.src).map(shortPath).join(' + ');
}
