/**
 * Which rule links a source to a target. A loop has no rule of its own: it is the `*` in both
 * paths, and the wildcards of both are as many, the outermost belonging together.
 */

import { conflictsOf } from './conflicts';
import type {
  Badge,
  Choice,
  ConnectAnswer,
  Format,
  MapState,
  Question,
  Refusal,
  Rule,
  SourceEnd,
  TargetEnd,
} from './model';
import { firstPlace, fitsTarget, lastStep, leadOf, loopsOf, narrowed, shortPath } from './paths';
import { type SampleType, targetFact } from './targetSample';

/** A rule that links both ends, and how to tell it. */
export interface Bound {
  kind: 'bound';
  rule: Rule;
  announcement: string;
}

/** Rules in the way of another, and what would clear it. */
export interface Clash {
  refusal: string;
  fix: string;
  indexes: number[];
}

/** The rule for two ends, a question if there are several ways, or why there is none. */
export function bound(
  state: MapState,
  source: SourceEnd,
  target: TargetEnd,
  answer?: ConnectAnswer,
): Bound | Question | Refusal {
  const { path: src } = source;
  const { path: tgt } = target;
  if (src === null) {
    const refusal = `${source.name || source.code} has no value: link a row inside it.`;
    return { kind: 'refusal', refusal };
  }
  if (tgt === null) {
    const what = target.kind === 'array' ? 'is a list' : 'contains other rows';
    return { kind: 'refusal', refusal: `${target.name} ${what}: link a row inside it.` };
  }
  const inLoops = loopsOf(src).length;
  const inArrays = loopsOf(tgt).length;
  if (state.target_fmt === 'csv' || inLoops === inArrays) {
    return boundTo(state, source, target, { src, tgt });
  }
  return inLoops < inArrays
    ? boundTo(state, source, target, { src, tgt: firstPlace(tgt, state.target_fmt, inLoops) })
    : narrowedRule(state, source, target, answer);
}

/** Several values for one place: which of them, or all of them. */
function narrowedRule(
  state: MapState,
  source: SourceEnd,
  target: TargetEnd,
  answer?: ConnectAnswer,
): Bound | Question {
  const src = source.path ?? '';
  const tgt = target.path ?? '';
  const keep = loopsOf(tgt).length;
  const choices = keep === 0 ? [...ONE, ...ALL[state.target_fmt]] : ONE;
  const value = answer?.value === 'fix' ? 'first' : answer?.value;
  if (value === undefined || !choices.some((choice) => choice.value === value)) {
    const loop = lastStep(loopsOf(src)[keep] ?? src);
    const text = `${shortPath(src)} has a value for each ${loop}, and ${target.name} takes one.`;
    return { kind: 'question', question: { text, choices } };
  }
  if (value === 'first' || value === 'last') {
    const one = narrowed(src, state.source_fmt, keep, value);
    return boundTo(state, source, target, { src: one, tgt });
  }
  const on_duplicate = value === 'join' ? joinWord(answer) : 'append';
  return boundTo(state, source, target, { src, tgt, on_duplicate });
}

const joinWord = (answer?: ConnectAnswer) => `join:${answer?.text ?? ', '}`;

const ONE: Choice[] = [
  { value: 'first', label: 'The first', needsText: false },
  { value: 'last', label: 'The last', needsText: false },
];

const JOIN: Choice = { value: 'join', label: 'All, joined into one text', needsText: true };

// Only JSON has lists to append to.
const ALL: Readonly<Record<Format, Choice[]>> = {
  json: [JOIN, { value: 'append', label: 'All, as a list', needsText: false }],
  xml: [JOIN],
  csv: [],
  x12: [JOIN],
};

function boundTo(state: MapState, source: SourceEnd, target: TargetEnd, rule: Rule): Bound {
  const lead = leadOf(rule.src);
  const loops = loopsOf(rule.on_duplicate === undefined ? lead : '');
  const isJoined = rule.on_duplicate?.startsWith('join:') === true;
  const inner = loops.at(-1);
  const repeated = inner === undefined ? '' : `, repeated for each ${lastStep(inner)}`;
  const place = loopsOf(target.path ?? '').length > loops.length && state.target_fmt !== 'csv';
  const where = place && rule.on_duplicate === undefined ? rule.tgt : target.name || rule.tgt;
  return {
    kind: 'bound',
    rule: { ...rule, ...(isJoined ? {} : converted(state, source, target)) },
    announcement: `Linked ${shortPath(lead)} to ${where}${repeated}`,
  };
}

type Conversion = Pick<Rule, 'type' | 'transform' | 'on_missing'>;

/** What the target asks for: the type it has in the example of the output, and dates as there. */
function converted(state: MapState, source: SourceEnd, target: TargetEnd): Conversion {
  const fact = targetFact(state, target.path ?? '');
  if (source.badge === 'date' && target.badge === 'date' && state.source_fmt === 'x12') {
    const isPlain = state.target_fmt === 'x12' || /^[0-9]{8}$/.test(fact?.value ?? '');
    return isPlain ? {} : { transform: 'date_iso' };
  }
  if (state.target_fmt !== 'json') {
    return {}; // other formats are all text
  }
  return CONVERSIONS[fact?.type ?? BY_BADGE[target.badge] ?? 'string'](state.source_fmt);
}

const CONVERSIONS: Readonly<Record<SampleType, (source: Format) => Conversion>> = {
  string: () => ({}),
  mixed: () => ({}),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  // It takes any value, and is written where there is none.
  null: (source) => ({ on_missing: 'null', ...(source === 'json' ? { type: 'raw' } : {}) }),
};

/** Of targets that no example has; other rules say what they are. */
const BY_BADGE: Readonly<Partial<Record<Badge, SampleType>>> = { num: 'number', bool: 'boolean' };

/** Rules that repeat the same array for another loop; `own`: those that will be replaced. */
export function mixedLoops(state: MapState, rule: Rule, own: readonly number[]): Clash | null {
  const isRepeated = rule.src !== undefined && state.target_fmt !== 'csv';
  const arrays = isRepeated ? loopsOf(rule.tgt) : [];
  const loops = loopsOf(leadOf(rule.src));
  for (const [level, array] of arrays.entries()) {
    const others = state.field_map.flatMap((other, index) => {
      const loop = loopsOf(leadOf(other.src))[level] ?? loops[level];
      const isSame = loopsOf(other.tgt)[level] === array && !own.includes(index);
      return isSame && loop !== loops[level] ? index : [];
    });
    const first = state.field_map[others[0] ?? -1];
    if (first !== undefined) {
      const lead = leadOf(rule.src);
      return mixedClash(array, [leadOf(first.src), lead], level, others);
    }
  }
  return null;
}

function mixedClash(
  array: string,
  [before, lead]: [string, string],
  level: number,
  indexes: number[],
): Clash {
  const now = lastStep(loopsOf(before)[level] ?? '');
  const wanted = lastStep(loopsOf(lead)[level] ?? '');
  const list = `${lastStep(array)}[]`;
  const rules = indexes.length === 1 ? 'rule' : `${indexes.length} rules`;
  return {
    refusal: `${list} is repeated for each ${now}, and ${shortPath(lead)} for each ${wanted}.`,
    fix: `Repeat ${list} for each ${wanted} instead, without its ${rules} for each ${now}`,
    indexes,
  };
}

/** Rules whose targets exclude that of a rule. */
export function conflicting(state: MapState, rule: Rule, own: readonly number[]): Clash | null {
  const indexes: number[] = [];
  let refusal = '';
  state.field_map.forEach((other, index) => {
    const [conflict] = own.includes(index)
      ? []
      : conflictsOf(state.target_fmt, [other.tgt, rule.tgt]);
    if (conflict !== undefined && !fitsTarget(rule.tgt, other.tgt)) {
      indexes.push(index);
      refusal ||= `${rule.tgt} and ${other.tgt} conflict. ${conflict.message}`;
    }
  });
  const fix = `Remove ${indexes.length === 1 ? 'the conflicting rule' : `the ${indexes.length} conflicting rules`}`;
  return indexes.length === 0 ? null : { refusal, fix, indexes };
}

/** Rules without those of certain indexes. */
export function removed(rules: readonly Rule[], indexes: ReadonlySet<number>): Rule[] {
  return rules.filter((_, index) => !indexes.has(index));
}
