import { decodeFile, sizeRefusal } from '../../core/textFile';

export type FileText =
  | { kind: 'text'; text: string; name: string }
  | { kind: 'refused'; reason: string };

/** The text of a file that was dropped or chosen; too large or no text: why not. */
export async function readFile(file: File): Promise<FileText> {
  const tooLarge = sizeRefusal(file.size);
  if (tooLarge !== null) return { kind: 'refused', reason: tooLarge };
  try {
    const found = decodeFile(new Uint8Array(await file.arrayBuffer()));
    return found.kind === 'refused' ? found : { kind: 'text', text: found.text, name: file.name };
  } catch {
    return {
      kind: 'refused',
      reason: 'The file cannot be read. It may be a folder, or it was removed.',
    };
  }
}
