/** What the mapper asks the server for, and saved maps as the mapper edits them. */
import { queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../api/client';
import { isApiError } from '../api/error';
import { savedIdentity } from '../core/draft';
import type { Format, MapState, Rule } from '../core/model';

export type MapDetail = Schemas['MapDetail'];
export type TestItem = Schemas['TestItem'];
type AllSamples = Schemas['SamplesAnswer'];

interface SampleOptions {
  release?: string;
  guide?: string;
  kind?: Schemas['GeneratedSampleItem']['kind'];
  seed?: string;
  fault?: string;
}

/** The version that is edited, and what it held. */
export interface Base {
  id: number;
  version: number;
  locked: boolean;
  savedAt: string;
  /** What its drafts are known by. */
  identity: string;
  state: MapState;
}

function isRule(value: unknown): value is Rule {
  return (
    typeof value === 'object' &&
    value !== null &&
    'tgt' in value &&
    typeof value.tgt === 'string' &&
    !('src' in value && typeof value.src !== 'string' && !Array.isArray(value.src))
  );
}

/** The rules of an answer; the server validated them before it stored them. */
export function rulesOfAnswer(found: unknown[]): Rule[] {
  return found.filter(isRule);
}

export function stateOf(map: MapDetail): MapState {
  return {
    name: map.name,
    source_fmt: map.source_fmt,
    target_fmt: map.target_fmt,
    tx_set: map.tx_set,
    direction: map.direction,
    description: map.description,
    field_map: rulesOfAnswer(map.field_map),
    lookups: map.lookups,
    sample: map.sample,
    target_sample: map.target_sample,
    tests: map.tests,
    rejected: [],
  };
}

export function baseOf(map: MapDetail): Base {
  return {
    id: map.id,
    version: map.version,
    locked: map.locked,
    savedAt: map.updated_at_iso,
    identity: savedIdentity(map),
    state: stateOf(map),
  };
}

/** A saved map; `version` absent: the newest. */
export function mapQuery(id: string, version?: number) {
  return queryOptions({
    queryKey: ['map', id, version ?? 'newest'],
    queryFn: async ({ signal }) => {
      const query = version === undefined ? {} : { version: String(version) };
      const params = { path: { map_id: id }, query };
      const answer = await data(api.GET('/api/maps/{map_id}', { params, signal }));
      return answer.map;
    },
    // The editor holds its own state; asking again behind it would only be noise.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function versionsQuery(id: number) {
  return queryOptions({
    queryKey: ['map', String(id), 'versions'],
    queryFn: async ({ signal }) => {
      const params = { path: { map_id: String(id) } };
      const answer = await data(api.GET('/api/maps/{map_id}/versions', { params, signal }));
      return answer.versions;
    },
    staleTime: 0,
  });
}

const allSamplesQuery = queryOptions({
  queryKey: ['samples'],
  queryFn: () => data(api.GET('/api/samples')),
  staleTime: Number.POSITIVE_INFINITY,
});

export const samplesQuery = { ...allSamplesQuery, select: (all: AllSamples) => all.samples };

/** The faults that a made sample can have. */
export const sampleFaultsQuery = { ...allSamplesQuery, select: (all: AllSamples) => all.faults };

/** A document that is made from the dictionary. */
export async function madeSample(set: string, query: SampleOptions) {
  const params = { path: { tx_set: set }, query };
  return (await data(api.GET('/api/samples/{tx_set}', { params }))).sample;
}

export const startersQuery = queryOptions({
  queryKey: ['starters'],
  queryFn: async () => (await data(api.GET('/api/maps/starters'))).starters,
  staleTime: Number.POSITIVE_INFINITY,
});

export const setsQuery = queryOptions({
  queryKey: ['schemas'],
  queryFn: async () => (await data(api.GET('/api/schemas'))).schemas,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The segments of a set in their order; of a set that is not known null. */
export function schemaQuery(set: string) {
  return queryOptions({
    queryKey: ['schemas', set],
    queryFn: async ({ signal }) => {
      const params = { path: { tx_set: set }, query: {} };
      return (await data(api.GET('/api/schemas/{tx_set}', { params, signal }))).schema;
    },
    enabled: set !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export async function inspected(document: string, format: Format | null, signal?: AbortSignal) {
  const body = { document, format, elem_sep: null, seg_term: null, csv: null, release: null };
  return data(
    api.POST('/api/inspect', { body: { ...body, guide: null }, ...(signal ? { signal } : {}) }),
  );
}

/** What of a map decides its output. */
export type Candidate = Pick<
  MapState,
  'field_map' | 'lookups' | 'source_fmt' | 'target_fmt' | 'tx_set' | 'direction'
>;

/**
 * The engine of convert over rules that are not saved. Where telling what comes from where is more
 * than the limits allow, the output is made without.
 */
export async function previewed(
  candidate: Candidate,
  document: string,
  signal?: AbortSignal,
  explain = true,
) {
  try {
    return await converted(candidate, document, explain, signal);
  } catch (error) {
    if (!explain || !isApiError(error) || error.code !== 'limit_exceeded') throw error;
    return converted(candidate, document, false, signal);
  }
}

function converted(
  candidate: Candidate,
  document: string,
  explain: boolean,
  signal: AbortSignal | undefined,
) {
  return data(
    api.POST('/api/maps/preview', {
      body: {
        document,
        field_map: candidate.field_map,
        source_format: candidate.source_fmt,
        target_format: candidate.target_fmt,
        lookups: candidate.lookups,
        tx_set: candidate.tx_set === '' ? null : candidate.tx_set,
        direction: candidate.direction,
        envelope: null,
        csv: null,
        explain,
        split: null,
        // A sample of another set is worth seeing; the warning says what programs would get.
        force: true,
      },
      ...(signal ? { signal } : {}),
    }),
  );
}

export async function suggested(state: MapState, document: string, signal: AbortSignal) {
  const answer = await data(
    api.POST('/api/maps/suggest', {
      body: {
        document,
        target_sample: state.target_sample,
        source_format: state.source_fmt,
        target_format: state.target_fmt,
        field_map: state.field_map,
        lookups: state.lookups,
        rejected: null,
      },
      signal,
    }),
  );
  return answer.suggestions.map((each) => ({ ...each, rules: rulesOfAnswer(each.rules) }));
}

export function bodyOf(state: MapState, note: string | null) {
  return {
    name: state.name,
    source_fmt: state.source_fmt,
    target_fmt: state.target_fmt,
    tx_set: state.tx_set,
    direction: state.direction,
    description: state.description,
    field_map: state.field_map,
    lookups: state.lookups,
    sample: state.sample,
    target_sample: state.target_sample,
    tests: state.tests,
    note,
  };
}

/** Saves a new map, or the version after `base`. */
export async function saved(state: MapState, base: { id: number; version: number } | null) {
  const body = bodyOf(state, null);
  if (base === null) return data(api.POST('/api/maps', { body: { ...body, starter: null } }));
  const params = {
    path: { map_id: String(base.id) },
    header: { 'If-Match': `"${base.version}"` },
  };
  return data(api.PUT('/api/maps/{map_id}', { params, body }));
}
