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
  /** Ask again, where the failure was not of the rules. */
  again: () => void;
}

interface Asked {
  sequence: number;
  candidate: Candidate;
  document: string;
}

function candidateOf(state: MapState): Candidate {
  const { field_map, lookups, source_fmt, target_fmt, tx_set, direction } = state;
  return { field_map, lookups, source_fmt, target_fmt, tx_set, direction };
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
export function usePreview(state: MapState, document: string | null): Preview {
  const { field_map, lookups, source_fmt, target_fmt, tx_set, direction } = state;
  const wanted = useMemo(
    () => ({ field_map, lookups, source_fmt, target_fmt, tx_set, direction, document }),
    [field_map, lookups, source_fmt, target_fmt, tx_set, direction, document],
  );
  const settled = useSettled(wanted);
  const sequence = useRef(0);
  const asked = useMemo<Asked | null>(() => {
    if (settled.document === null) return null;
    sequence.current += 1;
    const { document: text, ...candidate } = settled;
    return { sequence: sequence.current, candidate, document: text };
  }, [settled]);
  const query = useQuery({
    queryKey: ['preview', asked?.sequence ?? 0],
    queryFn: async ({ signal }) => {
      if (asked === null) throw new Error('a preview was asked for without a document');
      const answer = await previewed(asked.candidate, asked.document, signal);
      return { answer, of: asked.candidate };
    },
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const last = useRef<{ answer: PreviewAnswer; of: Candidate } | null>(null);
  if (query.data !== undefined) last.current = query.data;
  const stale = settled !== wanted || query.isFetching || query.isError || query.isPlaceholderData;
  return {
    answer: last.current?.answer ?? null,
    of: last.current?.of ?? null,
    error: query.error,
    stale,
    again: () => void query.refetch(),
  };
}

export { candidateOf };
