/** What a starter map would make of a document: its rules as suggestions, its output as the target. */
import { api, data } from '../api/client';
import type { Format, MapState, Rule, Suggestion } from '../core/model';
import { previewed, rulesOfAnswer } from './server';

export interface Standard {
  targetSample: string;
  suggestions: Suggestion[];
  /** Rules that no suggestion can say, such as of joined sources. */
  rules: Rule[];
}

/**
 * The rules of a starter map. The service gives them only with a copy of the map, so one is made
 * and removed again.
 */
async function rulesOf(starter: string, title: string): Promise<Rule[]> {
  const body = {
    starter,
    name: `${title} (read)`,
    field_map: null,
    source_fmt: null,
    target_fmt: null,
    tx_set: null,
    direction: null,
    description: null,
    lookups: null,
    sample: null,
    target_sample: null,
    tests: null,
    note: null,
  };
  const { map } = await data(api.POST('/api/maps', { body }));
  const params = {
    path: { map_id: String(map.id) },
    header: { 'If-Match': `"${map.version}"` },
  };
  await api.DELETE('/api/maps/{map_id}', { params });
  return rulesOfAnswer(map.field_map);
}

const SUGGESTED: ReadonlySet<string> = new Set(['src', 'tgt', 'transform', 'note']);

function isPlain(rule: Rule): boolean {
  return typeof rule.src === 'string' && Object.keys(rule).every((name) => SUGGESTED.has(name));
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
  };
}

/** Runs a starter map over a document; of its rules only those count that wrote something. */
export async function standardFor(
  starter: { key: string; name: string; tx_set: string; target_fmt: Format },
  source: { document: string; format: Format },
): Promise<Standard> {
  const rules = await rulesOf(starter.key, starter.name);
  const candidate: Pick<
    MapState,
    'field_map' | 'lookups' | 'source_fmt' | 'target_fmt' | 'tx_set' | 'direction'
  > = {
    field_map: rules,
    lookups: [],
    source_fmt: source.format,
    target_fmt: starter.target_fmt,
    tx_set: starter.tx_set,
    direction: 'inbound',
  };
  const answer = await previewed(candidate, source.document);
  const wrote = new Set(answer.explain?.outputs.map(({ rule }) => rule));
  const used = rules.filter((_, index) => wrote.has(index));
  return {
    targetSample: answer.output,
    suggestions: used.filter(isPlain).map((rule) => suggestionOf(rule, starter.name)),
    rules: used.filter((rule) => !isPlain(rule)),
  };
}
