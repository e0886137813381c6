/** Text out of the bytes of a file whose encoding is unknown. */

export type Decoded =
  | { kind: 'text'; text: string; encoding: string }
  | { kind: 'refused'; reason: string };

const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const LOOKED_AT_BYTES = 65_536;
// Text has tabs, line ends and, in EDI, file to unit separators; a few strays are reported later.
const MAX_CONTROLS = 0.05;

/** The text of a file: by its byte order mark, else UTF-8, else Windows-1252. */
export function decodeFile(bytes: Uint8Array): Decoded {
  if (bytes.length === 0) return { kind: 'refused', reason: 'The file is empty.' };
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return decoded(bytes, marked[0]);
  if (!looksLikeText(bytes.subarray(0, LOOKED_AT_BYTES))) {
    return {
      kind: 'refused',
      reason: 'The file is not text. Choose an X12, JSON, XML or CSV document.',
    };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { kind: 'text', text, encoding: 'utf-8' };
  } catch {
    return decoded(bytes, 'windows-1252');
  }
}

function decoded(bytes: Uint8Array, encoding: string): Decoded {
  return { kind: 'text', text: new TextDecoder(encoding).decode(bytes), encoding };
}

function looksLikeText(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) {
    const isTextByte = byte >= 0x1c || (byte >= 0x09 && byte <= 0x0d);
    if (!isTextByte) controls += 1;
  }
  return controls <= bytes.length * MAX_CONTROLS;
}

const UNITS: readonly (readonly [number, string])[] = [
  [1_073_741_824, 'GiB'],
  [1_048_576, 'MiB'],
  [1024, 'KiB'],
];

/** `732 bytes`, `1.4 KiB`, `31.9 MiB`. */
export function sizeInWords(bytes: number): string {
  const unit = UNITS.find(([size]) => bytes >= size);
  if (unit === undefined) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return `${(bytes / unit[0]).toFixed(1)} ${unit[1]}`;
}

/** The largest request the service takes, unless whoever runs it has set another limit. */
export const MAX_BYTES = 32 * 1_048_576;

/** Why a file of this size is not read, or null. */
export function sizeRefusal(bytes: number): string | null {
  if (bytes <= MAX_BYTES) return null;
  const size = sizeInWords(bytes);
  return `The document has ${size}; the limit is ${sizeInWords(MAX_BYTES)}. Split it into parts.`;
}

/** A character of a request, escaped as JSON, has at most six bytes. */
const MAX_BYTES_A_CHAR = 6;

/** Why a text is not sent, or null. */
export function textRefusal(text: string): string | null {
  if (text.trim() === '') return 'The document is empty.';
  if (text.length * MAX_BYTES_A_CHAR <= MAX_BYTES) return null;
  return sizeRefusal(new TextEncoder().encode(JSON.stringify(text)).length);
}
