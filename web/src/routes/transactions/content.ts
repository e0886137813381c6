import { queryOptions } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { saveFile } from '../../ui/saveFile';
import { type InspectOptions, inspectQuery } from '../inspect/queries';
import type { Transaction } from './queries';

/** More of a document is not drawn. */
export const MAX_SHOWN_BYTES = 2_000_000;

/** The document of a record as text. `isWhole`: false if it is longer than what is shown. */
export interface Content {
  text: string;
  isWhole: boolean;
}

/** The interchange of a record, or its beginning: what nobody looks at is not loaded. */
export function contentQuery(id: number) {
  return queryOptions({
    queryKey: ['transactions', 'content', id],
    queryFn: async ({ signal }) => beginningOf(await read(id, 'stream', signal)),
    // What was sent or received never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

async function read(
  id: number,
  parseAs: 'stream' | 'blob',
  signal?: AbortSignal,
): Promise<unknown> {
  const params = { path: { id: String(id) } };
  const call = { params, parseAs, ...(signal && { signal }) };
  return data<unknown>(api.GET('/api/transactions/{id}/content', call));
}

async function beginningOf(answer: unknown): Promise<Content> {
  if (!(answer instanceof ReadableStream)) throw new TypeError('the content came otherwise');
  const reader = answer.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  let piece = await reader.read();
  while (!piece.done && size <= MAX_SHOWN_BYTES) {
    const value: unknown = piece.value;
    if (!(value instanceof Uint8Array)) throw new TypeError('the content came otherwise');
    pieces.push(value);
    size += value.length;
    piece = await reader.read();
  }
  const isWhole = piece.done && size <= MAX_SHOWN_BYTES;
  if (!piece.done) await reader.cancel();
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const each of pieces) {
    bytes.set(each, at);
    at += each.length;
  }
  return { text: textOf(bytes.subarray(0, MAX_SHOWN_BYTES), isWhole), isWhole };
}

/** UTF-8 where it is that, else a character a byte. */
function textOf(bytes: Uint8Array, isWhole: boolean): string {
  try {
    // A cut may go through a character; `stream` leaves such a rest out.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: !isWhole,
    });
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** Saves the whole interchange as a file, byte for byte. */
export async function downloadContent({ id }: Transaction): Promise<void> {
  const content = await read(id, 'blob');
  if (!(content instanceof Blob)) throw new TypeError('the content came otherwise');
  saveFile(content, `transaction-${id}.edi`);
}

/** How the document of a record is validated: a set without an envelope declares no release. */
export function validationOptions(record: Transaction, text: string): InspectOptions {
  const isBare = !text.trimStart().startsWith('ISA');
  const release = /^[0-9]{6}/.exec(record.version)?.[0];
  if (record.tx_set === '') return {};
  return isBare && release !== undefined
    ? { format: 'x12', release, ...(record.version.length > 6 && { guide: record.version }) }
    : { format: 'x12' };
}

/** The document of a record as a tree, with what is found wrong in it. */
export function inspectedContentQuery(record: Transaction, { text }: Content) {
  const source = { id: `transaction ${record.id}`, text };
  return inspectQuery(source, validationOptions(record, text));
}
