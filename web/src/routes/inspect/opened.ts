/**
 * The document that was pasted, dropped or chosen last. It lives in memory alone, so that going to
 * another page and back finds it, and a reload or a logout forgets it.
 */

export interface OpenedDocument {
  /** Tells it from those before it: a text of megabytes is a poor name. */
  revision: number;
  /** Of the file; `''` of what was pasted. */
  name: string;
  text: string;
}

let opened: OpenedDocument | null = null;
let revisions = 0;

export function openDocument(text: string, name = ''): OpenedDocument {
  revisions += 1;
  opened = { revision: revisions, name, text };
  return opened;
}

export function openedDocument(): OpenedDocument | null {
  return opened;
}

export function closeDocument(): void {
  opened = null;
}
