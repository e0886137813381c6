import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import type { ApiError } from '../../api/error';
import { type EditedText, forEditing, rowsOf } from '../../core/editedText';
import { neighbourhood, unclearInWords } from '../../core/neighbours';
import { placesOf } from '../../core/notes';
import { rowAt } from '../../core/rejectedPlaces';
import { type Separators, separatorsOf } from '../../core/segments';
import { aloneInEnvelope, setOf, setsIn } from '../../core/setsIn';
import { isMissing } from '../../ui/RecordState';
import { type Content, validationOptions } from './content';
import type { Transaction } from './queries';

export type Submitted = Schemas['SubmitAnswer'];

/** What is edited, and where the segments of the stored document are in it. */
export interface Opened extends EditedText {
  /** null: it is no X12. */
  marks: Separators | null;
  /** The segment in the editor of a place in the document; null: it is not in the editor. */
  rowOf: (offset: number) => number | null;
  /** Why other sets are shown with that of the record; '': there are none. */
  unclear: string;
}

/** The document of a record for the editor: of several sets its own alone, if it can be identified. */
export function opened(record: Transaction, { text }: Content, place: number | null): Opened {
  const sets = neighbourhood(record, text);
  const own = setOf(sets, record, place);
  const alone = own && aloneInEnvelope(text, own);
  const shown = alone?.text ?? text;
  const marks = separatorsOf(shown);
  const rows = rowsOf(shown, marks?.segment ?? '');
  const placeOf = placesOf(text);
  const rowOf = (offset: number) => {
    const at = alone === null ? placeOf(offset) : alone.placeOf(placeOf(offset));
    const row = at === null ? -1 : rowAt(rows, at);
    return row < 0 ? null : row;
  };
  const isClear = own !== null || sets.length === 0;
  const unclear = isClear ? '' : unclearInWords(record, sets);
  return { ...forEditing(shown), marks, rowOf, unclear };
}

/** The place of a record among those of its document, from 0; null: they do not go with its sets. */
export function placeQuery({ id, interchange_id }: Transaction, { text }: Content) {
  return queryOptions({
    queryKey: ['transactions', 'place', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id: String(interchange_id) } };
      const call = data(api.GET('/api/interchanges/{id}', { params, signal }));
      const found = await call.catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      const ids = found?.interchange.transaction_ids ?? [];
      const place = ids.indexOf(id);
      return place >= 0 && ids.length === setsIn(text).length ? place : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What validation says of a text that is being edited; `version` stands for the text. */
export function validationQuery(record: Transaction, text: string, version: number) {
  return queryOptions({
    queryKey: ['correct', record.id, version],
    queryFn: ({ signal }) => {
      const { release = null, guide = null } = validationOptions(record, text);
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
  override: boolean;
  /** What stands in the place of the record, and is known to whoever sends another one; else null. */
  supersedes: number | null;
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
    on_invalid: isSent ? (correction.override ? 'send' : 'reject') : null,
    restamp: isSent && hasEnvelope && separatorsOf(correction.content) !== null ? true : null,
    business_key: null,
    metadata: Object.keys(metadata).length > 0 ? metadata : null,
    dry_run: null,
    parent_id: record.id,
    reason: correction.reason.trim() || null,
    supersedes: correction.supersedes,
  };
}

/** Hands in a correction. `key`: the same for the same order, so that nothing is sent twice. */
export function submitCorrection(order: Schemas['ResendRequest'], key: string): Promise<Submitted> {
  const params = { header: { 'Idempotency-Key': key } };
  return data(api.POST('/api/transactions/submit', { params, body: order }));
}

/** What stands in the place of the record, as a refusal for that names it. */
export function activeReplacementIn({ details }: ApiError): number | null {
  const [named] = details.find(({ param }) => param === 'supersedes')?.allowed ?? [];
  return named === undefined ? null : Number(named);
}

/** 128 random bits; `crypto.randomUUID` is missing where a server is reached without https. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
