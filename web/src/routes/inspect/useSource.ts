import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { samplesQuery } from '../../mapper/server';
import { storedQuery } from '../vault/queries';
import type { OpenedDocument } from './opened';

/** The document of the page. `id` tells it from others, `name` is shown. */
export interface Source {
  id: string;
  name: string;
  text: string;
}

export type SourceState =
  | { kind: 'none' }
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown; retry: () => void }
  | { kind: 'unknown' }
  | { kind: 'ready'; source: Source };

interface Asked {
  doc?: number | undefined;
  sample?: string | undefined;
}

/** The document that the address names, else the one that was opened by hand. */
export function useSource({ doc, sample }: Asked, opened: OpenedDocument | null): SourceState {
  const stored = useQuery({
    ...storedQuery(String(doc)),
    enabled: doc !== undefined,
    select: ({ id, filename, content }): Source => ({
      id: `doc ${id}`,
      name: filename,
      text: content,
    }),
  });
  const samples = useQuery({
    ...samplesQuery,
    enabled: doc === undefined && sample !== undefined,
    select: ({ samples: all }): Source | null => {
      const found = all.find(({ name }) => name === sample);
      if (found === undefined) return null;
      return { id: `sample ${found.name}`, name: `sample ${found.name}`, text: found.document };
    },
  });
  if (doc !== undefined) return stateOf(stored);
  if (sample !== undefined) return stateOf(samples);
  if (opened === null) return { kind: 'none' };
  const { revision, name, text } = opened;
  return { kind: 'ready', source: { id: `opened ${revision}`, name, text } };
}

function stateOf(query: UseQueryResult<Source | null>): SourceState {
  if (query.isPending) return { kind: 'loading' };
  if (query.isError) {
    return { kind: 'failed', error: query.error, retry: () => void query.refetch() };
  }
  return query.data === null ? { kind: 'unknown' } : { kind: 'ready', source: query.data };
}
