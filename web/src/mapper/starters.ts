/** What a starter map would make of a document: its rules as suggestions, its output as the target. */
import { api, data } from '../api/client';
import type { Format, Rule, Suggestion } from '../core/model';
import { shapeOf } from '../core/shape';
import { type Candidate, previewed, rulesOfAnswer } from './server';

export interface Standard {
  targetSample: string;
  suggestions: Suggestion[];
  /** Rules that no suggestion can say, such as of joined sources. */
  rules: Rule[];
}

async function rulesOf(key: string): Promise<Rule[]> {
  const params = { path: { key } };
  const { starter } = await data(api.GET('/api/maps/starters/{key}', { params }));
  return rulesOfAnswer(starter.field_map);
}

const SUGGESTED: ReadonlySet<string> = new Set(['src', 'tgt', 'transform', 'note']);

function isPlain(rule: Rule): boolean {
  return typeof rule.src === 'string' && Object.keys(rule).every((name) => SUGGESTED.has(name));
}

/** What a note says is of the starter map, not of this one. */
function withoutNote({ note: _, ...rule }: Rule): Rule {
  return rule;
}

function suggestionOf(rule: Rule, title: string): Suggestion {
  const src = typeof rule.src === 'string' ? rule.src : '';
  return {
    src,
    tgt: rule.tgt,
    transform: rule.transform ?? 'none',
    score: 1,
    reason: `standard: ${title}`,
    group: src.replace(/^:/, '').split(/[.[>:]/)[0] ?? '',
    rules: [withoutNote(rule)],
  };
}

/** Runs a starter map over the beginning of a document; only rules count that wrote something. */
export async function standardFor(
  starter: { key: string; name: string; tx_set: string; target_fmt: Format },
  source: { document: string; format: Format },
): Promise<Standard> {
  const rules = await rulesOf(starter.key);
  const candidate: Candidate = {
    field_map: rules,
    lookups: [],
    source_fmt: source.format,
    target_fmt: starter.target_fmt,
    tx_set: starter.tx_set,
    direction: 'inbound',
  };
  const answer = await previewed(candidate, shapeOf(source.document).document);
  const wrote = answer.explain && new Set(answer.explain.outputs.map(({ rule }) => rule));
  const used = rules.filter((_, index) => wrote?.has(index) ?? true);
  return {
    targetSample: answer.output,
    suggestions: used.filter(isPlain).map((rule) => suggestionOf(rule, starter.name)),
    rules: used.filter((rule) => !isPlain(rule)),
  };
}
