import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { api, data } from '../api/client';
import type { Format, MapState } from '../core/model';
import { type Shape, shapeOf } from '../core/shape';
import { inspected, schemaQuery } from './server';

/** A document the map can be looked at with. */
export interface Shown {
  key: string;
  label: string;
  document: string;
  format: Format;
}

/** The documents that belong to a map: its sample, and those of its tests. */
export function ownDocuments(state: MapState): Shown[] {
  const sample = state.sample;
  const tests = state.tests.map((test, index) => ({
    key: `test-${index}`,
    label: `Test: ${test.name}`,
    document: test.document,
    format: state.source_fmt,
  }));
  return sample === null ? tests : [{ key: 'sample', label: 'Sample', ...sample }, ...tests];
}

/** Stored documents that a map of this format and set can be tried with. */
export function vaultQuery(state: MapState) {
  const isSource = state.source_fmt === 'x12' && state.tx_set !== '';
  const query = {
    fmt: state.source_fmt,
    limit: '20',
    ...(isSource ? { transaction_set: state.tx_set } : {}),
  };
  return {
    queryKey: ['vault', 'for-map', query],
    queryFn: async () => (await data(api.GET('/api/vault', { params: { query } }))).docs,
    staleTime: 30_000,
  };
}

export async function storedDocument(id: number): Promise<Shown> {
  const params = { path: { id: String(id) } };
  const { doc } = await data(api.GET('/api/vault/{id}', { params }));
  return {
    key: `vault-${id}`,
    label: `Stored: ${doc.filename}`,
    document: doc.content,
    format: doc.fmt,
  };
}

/** Which document is shown: one of the map, or a stored one that was fetched for it. */
export function useShownDocument(state: MapState) {
  const [key, setKey] = useState('sample');
  const [fetched, setFetched] = useState<Shown | null>(null);
  const own = ownDocuments(state);
  const choices = fetched === null ? own : [...own, fetched];
  const shown = choices.find((each) => each.key === key) ?? choices[0] ?? null;
  const show = (document: Shown) => {
    setFetched(document);
    setKey(document.key);
  };
  return { shown, choices, choose: setKey, show };
}

/** What of the document shown stands for it while a map is edited, and what the output is of. */
export interface Tried extends Shape {
  /** The document that is converted; null if there is none. */
  converted: string | null;
  isWhole: boolean;
  setWhole: (isWhole: boolean) => void;
}

/** A large X12 document is tried by its beginning, and converted as a whole if that is asked for. */
export function useTried(shown: Shown | null): Tried {
  const text = shown?.document ?? null;
  const shape = useMemo(() => shapeOf(text ?? ''), [text]);
  const [whole, setWhole] = useState<string | null>(null);
  const isWhole = shape.cut !== null && whole !== null && whole === text;
  const choose = useCallback((wanted: boolean) => setWhole(wanted ? text : null), [text]);
  const converted = text === null || isWhole ? text : shape.document;
  return { ...shape, converted, isWhole, setWhole: choose };
}

const KNOWN_DOCUMENTS = 12;
let known: { text: string; id: number }[] = [];
let next = 0;

/** A short name for a text: keys of queries are hashed at each draw, and documents are long. */
export function documentId(text: string): number {
  const found = known.find((each) => each.text === text);
  if (found !== undefined) return found.id;
  next += 1;
  known = [{ text, id: next }, ...known].slice(0, KNOWN_DOCUMENTS);
  return next;
}

/** The tree of the document shown, and the schemas of both sides where they are X12. */
export function useInspection(state: MapState, shown: Shown | null, document: string) {
  const inspection = useQuery({
    queryKey: ['inspect', shown?.format ?? '', shown === null ? 0 : documentId(document)],
    queryFn: ({ signal }) => inspected(document, shown?.format ?? null, signal),
    enabled: shown !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const sourceSet = state.source_fmt === 'x12' ? inspection.data?.tx_set || state.tx_set : '';
  const targetSet = state.target_fmt === 'x12' ? state.tx_set : '';
  const sourceSchema = useQuery(schemaQuery(sourceSet));
  const targetSchema = useQuery(schemaQuery(targetSet));
  return {
    inspection,
    sourceSchema: sourceSchema.data ?? null,
    targetSchema: targetSchema.data ?? null,
    /** The schemas are there, or never will be. */
    settled: !sourceSchema.isLoading && !targetSchema.isLoading,
  };
}
