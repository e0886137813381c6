import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { aloneInEnvelope, type EditedText, forEditing, rowsOf } from '../../core/editedText';
import { placesOf } from '../../core/notes';
import { rowAt } from '../../core/rejectedPlaces';
import { type Separators, separatorsOf } from '../../core/segments';
import { type Content, judgedBy } from './content';
import type { Transaction } from './queries';

export type Submitted = Schemas['SubmitAnswer'];

/** What is edited, and where the segments of the stored document are in it. */
export interface Opened extends EditedText {
  /** null: it is no X12. */
  marks: Separators | null;
  /** The segment in the editor of a place in the document; null: it is not in the editor. */
  rowOf: (offset: number) => number | null;
}

/** The document of a record for the editor: of several sets in its interchange its own alone. */
export function opened(record: Transaction, { text }: Content): Opened {
  const alone = aloneInEnvelope(text, record.st_control_number);
  const marks = separatorsOf(text);
  const rows = rowsOf(text, marks?.segment ?? '');
  const placeOf = placesOf(text);
  const rowOf = (offset: number) => {
    const row = rowAt(rows, placeOf(offset));
    const at = alone === null ? row : alone.rows.indexOf(row);
    return at < 0 ? null : at;
  };
  return { ...forEditing(alone?.text ?? text), marks, rowOf };
}

/** What validation says of a text that is being edited; `version` stands for the text. */
export function validationQuery(record: Transaction, text: string, version: number) {
  return queryOptions({
    queryKey: ['correct', record.id, version],
    queryFn: ({ signal }) => {
      const { release = null, guide = null } = judgedBy(record, text);
      const separators = { elem_sep: null, seg_term: null };
      const body = { document: text, format: null, include: null, csv: null, release, guide };
      return data(api.POST('/api/validate', { body: { ...separators, ...body }, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What somebody hands in instead of a record. */
export interface Correction {
  partnerId: number;
  txSet: string;
  content: string;
  reason: string;
  /** It is sent although validation finds errors. */
  inSpite: boolean;
  /** It is sent although another one stands in the place of the record. */
  again: boolean;
}

/** The order for a correction: with an envelope of its own it gets our new numbers. */
export function orderOf(record: Transaction, correction: Correction): Schemas['ResendRequest'] {
  const isSent = record.direction === 'outbound';
  const hasEnvelope = correction.content.trimStart().startsWith('ISA');
  // What the simulator was to answer belongs to the test before.
  const { simulate: _simulate, ...metadata } = record.metadata;
  return {
    partner_id: correction.partnerId,
    tx_set: correction.txSet,
    direction: record.direction,
    content: correction.content,
    document: null,
    map_id: null,
    map_version: null,
    on_invalid: isSent ? (correction.inSpite ? 'send' : 'reject') : null,
    restamp: isSent && hasEnvelope && separatorsOf(correction.content) !== null ? true : null,
    business_key: null,
    metadata: Object.keys(metadata).length > 0 ? metadata : null,
    dry_run: null,
    parent_id: record.id,
    reason: correction.reason.trim() || null,
    again: correction.again || null,
  };
}

/** Hands in a correction. `key`: the same for the same order, so that nothing is sent twice. */
export function submitCorrection(order: Schemas['ResendRequest'], key: string): Promise<Submitted> {
  const params = { header: { 'Idempotency-Key': key } };
  return data(api.POST('/api/transactions/submit', { params, body: order }));
}

/** 128 random bits; `crypto.randomUUID` is missing where a server is reached without https. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
