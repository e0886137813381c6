/** What is wrong or doubtful about a map, found here or by the server. */

import { conflictsOf } from './conflicts';
import type { MapState, Rule, SourceNode, TargetNode } from './model';
import { ON_DUPLICATE, ON_MISSING, TRANSFORMS, VALUE_TYPES } from './model';
import { leadOf, loopsOf, shortPath, sourcesOf } from './paths';
import { rulesBySource, rulesByTarget, TargetFinder } from './places';
import { allRows, byPath } from './source';

export type Severity = 'error' | 'warning' | 'info';

/** `rule`: index in the map. `target`: id of a row. Either may be null. */
export interface Issue {
  severity: Severity;
  code: string;
  message: string;
  rule: number | null;
  target: string | null;
}

/** A detail of a refusal: `param` such as `field_map[2].src`. */
export interface ServerDetail {
  code: string;
  message: string;
  param?: string | null;
}

/** A warning of a conversion, or a finding about an X12 output. */
export interface ServerNotice {
  code: string;
  message: string;
  severity?: string;
  param?: string | null;
  tgt?: string | null;
  path?: string | null;
}

export interface IssueInput {
  state: MapState;
  source: readonly SourceNode[];
  target: readonly TargetNode[];
  errors: readonly ServerDetail[];
  notices: readonly ServerNotice[];
}

/** All issues: errors first, each list in the order of rules. */
export function issues({ state, source, target, errors, notices }: IssueInput): Issue[] {
  const finder = new TargetFinder(state.target_fmt, target);
  const idOf = (rule: number) => finder.find(state.field_map[rule]?.tgt ?? '')?.id ?? null;
  const fromServer = [
    ...errors.map((each) => ofServer('error', each)),
    ...notices.map((each) => ofServer(severityOf(each.severity), each)),
  ];
  const known = new Set(fromServer.map(({ rule, severity }) => `${rule} ${severity}`));
  const found = [
    ...ruleIssues(state),
    ...sampleIssues(state, source),
    ...targetIssues(state, target),
  ];
  // What the server says of a rule is more exact than what is found here.
  const own = found.filter(
    ({ rule, severity }) => rule === null || severity !== 'error' || !known.has(`${rule} error`),
  );
  return [...fromServer, ...own]
    .map((each) =>
      each.rule === null ? each : { ...each, target: each.target ?? idOf(each.rule) },
    )
    .sort((one, other) => ORDER[one.severity] - ORDER[other.severity] || place(one) - place(other));
}

const ORDER: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

const place = ({ rule }: Issue) => rule ?? Number.MAX_SAFE_INTEGER;

function severityOf(severity: string | undefined): Severity {
  return severity === 'error' || severity === 'info' ? severity : 'warning';
}

const PARAM = /^field_map\[([0-9]+)\]/;

function ofServer(severity: Severity, { code, message, param }: ServerDetail): Issue {
  const index = PARAM.exec(param ?? '')?.[1];
  return {
    severity,
    code,
    message,
    rule: index === undefined ? null : Number(index),
    target: null,
  };
}

// ---- rules by themselves -----------------------------------------------------------------------

function ruleIssues(state: MapState): Issue[] {
  const targets = state.field_map.map((rule) => rule.tgt);
  const clashes = conflictsOf(state.target_fmt, targets).map(({ index, other, message }) =>
    error('conflict', index, `${message} The other one is rule ${other + 1}.`),
  );
  return [...state.field_map.flatMap((rule, index) => faultsOf(state, rule, index)), ...clashes];
}

function error(code: string, rule: number, message: string): Issue {
  return { severity: 'error', code, message, rule, target: null };
}

function faultsOf(state: MapState, rule: Rule, index: number): Issue[] {
  const faults = [...wordFaults(rule), ...sourceFaults(state, rule)];
  return faults.map(([code, message]) => error(code, index, message));
}

type FaultText = [code: string, message: string];

function wordFaults(rule: Rule): FaultText[] {
  const { transform, type, on_missing, on_duplicate } = rule;
  const isJoin = on_duplicate?.startsWith('join:') === true;
  const checks: [string, string | undefined, readonly string[]][] = [
    ['transform', transform, TRANSFORMS],
    ['type', type, VALUE_TYPES],
    ['on_missing', on_missing, ON_MISSING],
    ['on_duplicate', isJoin ? undefined : on_duplicate, ON_DUPLICATE],
  ];
  return checks
    .filter(([, word, allowed]) => word !== undefined && !allowed.includes(word))
    .map(([name, word, allowed]) => [
      `unknown_${name}`,
      `"${word}" is not a ${name}; use one of ${allowed.join(', ')}.`,
    ]);
}

function sourceFaults(state: MapState, rule: Rule): FaultText[] {
  const faults: FaultText[] = [];
  const hasSource = rule.src !== undefined;
  const given = [rule.src, rule.const, rule.formula].filter((each) => each !== undefined);
  const isList = [rule.group, rule.sort, rule.where].some((each) => each !== undefined);
  if (given.length !== (isList ? 0 : 1)) {
    faults.push(['source', 'A rule has either a source, a formula or a fixed value.']);
  }
  if (rule.tgt === '') {
    faults.push(['target', 'The rule does not say what it writes to.']);
  }
  const table = rule.lookup?.table_id;
  if (table !== undefined && !state.lookups.some(({ name }) => name === table)) {
    faults.push(['lookup', `The map has no lookup table "${table}".`]);
  }
  return hasSource && state.target_fmt !== 'csv' ? [...faults, ...wildcardFaults(rule)] : faults;
}

function wildcardFaults(rule: Rule): FaultText[] {
  const inSource = loopsOf(leadOf(rule.src)).length;
  const inTarget = loopsOf(rule.tgt).length;
  if (inTarget > 0 && inTarget !== inSource) {
    return [
      [
        'wildcards',
        `The source has ${inSource} wildcards and the target ${inTarget}; the numbers must be equal.`,
      ],
    ];
  }
  return inTarget === 0 && inSource > 0 && rule.on_duplicate === undefined
    ? [['wildcards', 'The source has several values and the target takes one: choose what to do.']]
    : [];
}

// ---- against the sample ------------------------------------------------------------------------

function sampleIssues(state: MapState, source: readonly SourceNode[]): Issue[] {
  if (source.length === 0) {
    return [];
  }
  const nodes = byPath(source);
  const readable = new Set([...rulesBySource(source, state.field_map).values()].flat());
  const inSample = (path: string) => nodes.get(path)?.keys.some((key) => key !== '') ?? true;
  return state.field_map.flatMap((rule, index): Issue[] => {
    const isKnown = sourcesOf(rule.src).length === 0 || readable.has(index);
    const absent = sourcesOf(rule.src).filter((path) => !inSample(path));
    if (isKnown && absent.length === 0) {
      return [];
    }
    const path = shortPath(absent[0] ?? leadOf(rule.src));
    const message = `${path} has no value in the sample.`;
    return [{ severity: 'warning', code: 'not_in_sample', message, rule: index, target: null }];
  });
}

// ---- against the target ------------------------------------------------------------------------

function targetIssues(state: MapState, target: readonly TargetNode[]): Issue[] {
  const mapped = rulesByTarget(state.target_fmt, target, state.field_map);
  const found: Issue[] = [];
  for (const node of allRows([...target])) {
    const rules = mapped.get(node.id) ?? [];
    if (node.required && node.path !== null && rules.length === 0) {
      const message = `${node.code || node.name} is required and has no source.`;
      found.push({ severity: 'error', code: 'required', message, rule: null, target: node.id });
    }
    found.push(...rules.slice(0, -1).flatMap((rule) => hiddenBy(state, rule)));
    found.push(...rules.flatMap((rule) => typeIssue(state, node, rule)));
  }
  return found;
}

/** Of several rules for one target the last with a value counts, which may be meant so. */
function hiddenBy(state: MapState, index: number): Issue[] {
  const rule = state.field_map[index];
  const isMeant = rule === undefined || rule.on_duplicate !== undefined || rule.when !== undefined;
  const later = state.field_map.findIndex((each, at) => at > index && each.tgt === rule?.tgt);
  if (isMeant || later < 0 || state.field_map[later]?.on_duplicate !== undefined) {
    return [];
  }
  const message = `Rule ${later + 1} also writes to ${rule.tgt}; if both have a value, that rule wins.`;
  return [{ severity: 'info', code: 'overwritten', message, rule: index, target: null }];
}

function typeIssue(state: MapState, node: TargetNode, index: number): Issue[] {
  const rule = state.field_map[index];
  const isNumber = rule?.type === 'number' || rule?.type === 'integer' || rule?.type === 'raw';
  const isWanted = state.target_fmt === 'json' && node.badge === 'num' && node.value !== '';
  if (rule === undefined || !isWanted || isNumber || typeof rule.const === 'number') {
    return [];
  }
  const message = `${node.name} is a number in the target sample, but the rule writes text.`;
  return [{ severity: 'warning', code: 'type', message, rule: index, target: node.id }];
}

// ---- coverage ----------------------------------------------------------------------------------

export interface Coverage {
  used: number;
  total: number;
  text: string;
}

/** How many values of the sample are read; `unused`: as `explain` lists them. */
export function coverage(source: readonly SourceNode[], unused: Iterable<string>): Coverage {
  const keys = new Set<string>();
  for (const node of allRows([...source])) {
    for (const key of node.envelope || node.path === null ? [] : node.keys) {
      keys.add(key);
    }
  }
  keys.delete('');
  const left = new Set(unused);
  const used = [...keys].filter((key) => !left.has(key)).length;
  return { used, total: keys.size, text: `${used} of ${keys.size} sample fields used` };
}
