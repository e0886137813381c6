import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { MapState } from '../core/model';
import { type Candidate, previewed } from './server';

const DEBOUNCE_MS = 150;

export type PreviewAnswer = Awaited<ReturnType<typeof previewed>>;

export interface Preview {
  /** The last output there was; stays while a newer one is made or cannot be made. */
  answer: PreviewAnswer | null;
  error: unknown;
  /** `answer` is of older rules. */
  stale: boolean;
  /** The rules that `answer` is of. */
  of: Candidate | null;
  /** The document that `answer` is of. */
  document: string | null;
  /** Ask again, where the failure was not of the rules. */
  again: () => void;
}

interface Asked {
  sequence: number;
  candidate: Candidate;
  document: string;
  explain: boolean;
}

function candidateOf(state: MapState): Candidate {
  const { field_map, lookups, source_fmt, target_fmt, tx_set, direction } = state;
  return { field_map, lookups, source_fmt, target_fmt, tx_set, direction };
}

/** Whether there is anything to convert by; the server refuses to convert by no rules. */
function hasRules(candidate: Pick<Candidate, 'field_map'>): boolean {
  return candidate.field_map.length > 0;
}

/** The last answer there was; none while there are no rules. */
function useLast<Value>(found: Value | undefined, isEmpty: boolean): Value | null {
  const last = useRef<Value | null>(null);
  last.current = isEmpty ? null : (found ?? last.current);
  return last.current;
}

/** A value once it has not changed for a while; the first one at once. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/**
 * What the rules make of the document. A newer question aborts the older one, and an answer counts
 * only for the number it was asked under, so that a late one never replaces a newer.
 */
export function usePreview(state: MapState, document: string | null, explain: boolean): Preview {
  const { field_map, lookups, source_fmt, target_fmt, tx_set, direction } = state;
  const wanted = useMemo(
    () => ({ field_map, lookups, source_fmt, target_fmt, tx_set, direction, document, explain }),
    [field_map, lookups, source_fmt, target_fmt, tx_set, direction, document, explain],
  );
  const settled = useSettled(wanted);
  const sequence = useRef(0);
  const asked = useMemo<Asked | null>(() => {
    if (settled.document === null) return null;
    sequence.current += 1;
    const { document: text, explain: isExplained, ...candidate } = settled;
    return { sequence: sequence.current, candidate, document: text, explain: isExplained };
  }, [settled]);
  const query = useQuery({
    queryKey: ['preview', asked?.sequence ?? 0],
    queryFn: async ({ signal }) => {
      if (asked === null) throw new Error('a preview was asked for without a document');
      const answer = await previewed(asked.candidate, asked.document, signal, asked.explain);
      return { answer, of: asked.candidate, document: asked.document };
    },
    enabled: asked !== null && hasRules(settled),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isEmpty = !hasRules(settled);
  const last = useLast(query.data, isEmpty);
  const isOlder = query.isFetching || query.isError || query.isPlaceholderData;
  const stale = settled !== wanted || (isOlder && !isEmpty);
  return {
    answer: last?.answer ?? null,
    of: last?.of ?? null,
    document: last?.document ?? null,
    error: isEmpty ? null : query.error,
    stale,
    again: () => void query.refetch(),
  };
}

export { candidateOf };
