/** The beginning of a document that is not shown whole. */
import { decodeFile } from './textFile';

/**
 * The text of the first bytes of a document; null if they are no text. `isCut`: more bytes follow,
 * so the last of these may be a part of a character, and is left out.
 */
export function beginningText(bytes: Uint8Array, isCut: boolean): string | null {
  const end = isCut ? 1 + bytes.findLastIndex((byte) => byte < 0x80) : bytes.length;
  // What has no such byte at all is no cut text of ours.
  const found = decodeFile(bytes.subarray(0, end || bytes.length));
  return found.kind === 'text' ? found.text : null;
}
