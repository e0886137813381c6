import { queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import type { Checked } from '../../core/checked';
import type { Format } from '../../core/model';

export type Inspection = Schemas['InspectAnswer'];
export type CodeCheck = NonNullable<Schemas['InspectRequest']['codes']>;
export type Finding = Schemas['FindingItem'];

/** What of a document was checked; null: it is of a format that has no definitions. */
export function checkedOf(
  result: Pick<Inspection, 'tx_set' | 'version' | 'guide' | 'named_guide'> &
    Pick<Inspection, 'definition' | 'codes_checked'>,
): Checked | null {
  const { tx_set, version, definition, codes_checked, guide = null, named_guide = null } = result;
  if (definition === undefined || codes_checked === undefined) return null;
  return { tx_set, version, definition, codes_checked, guide, named_guide };
}

/** How a document is read and validated; absent: as it declares. */
export interface InspectOptions {
  format?: Format | undefined;
  guide?: string | undefined;
  release?: string | undefined;
  codes?: CodeCheck | undefined;
}

/** `id` stands for the document, as a key of megabytes would be compared at every paint. */
export interface InspectedSource {
  id: string;
  text: string;
}

export function inspectQuery(source: InspectedSource, options: InspectOptions) {
  const { format = null, guide = null, release = null, codes = null } = options;
  return queryOptions({
    queryKey: ['inspect', source.id, format, guide, release, codes],
    queryFn: ({ signal }) =>
      data(
        api.POST('/api/inspect', {
          body: {
            ...{ document: source.text, format, guide, release, codes },
            ...{ elem_sep: null, seg_term: null, csv: null },
          },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    // The tree of a large document is large: it is kept for a look at a neighbouring page only.
    gcTime: 60_000,
  });
}
