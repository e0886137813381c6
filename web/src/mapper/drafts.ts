/** Drafts in the storage of this browser: one for each map, saved or new. */
import { type Draft, decodeDraft } from '../core/draft';

/** Where the draft of a map is kept, and which map it has to be of. */
export interface DraftPlace {
  name: string;
  of: string;
}

export function draftOfSaved(mapId: number, of: string): DraftPlace {
  return { name: `longshore.draft.${mapId}`, of };
}

/** A map that was never saved has no number that only its account can open. */
export function draftOfNew(userId: number, of: string): DraftPlace {
  return { name: `${newDrafts(userId)}${of}`, of };
}

const newDrafts = (userId: number) => `longshore.draft.new.${userId}.`;

/** The drafts of all maps that a user never saved. */
export function newDraftsOf(userId: number): (StoredDraft & { name: string })[] {
  const beginning = newDrafts(userId);
  return storedNames().flatMap((name) => {
    const of = name.slice(beginning.length);
    const stored = name.startsWith(beginning) ? readDraft({ name, of }) : null;
    return stored === null ? [] : { ...stored, name };
  });
}

function storedNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** A draft and the text it was read from, by which a page knows its own again. */
export interface StoredDraft {
  draft: Draft;
  text: string;
}

/** The draft of a map; null if there is none, or another map had its place. */
export function readDraft({ name, of }: DraftPlace): StoredDraft | null {
  const text = stored(name);
  const draft = text === null ? null : decodeDraft(text);
  return text === null || draft?.of !== of ? null : { draft, text };
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function writeDraft(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // Storage may be full or switched off; then there is no draft to come back to.
  }
}

/** Forgets a draft if it still is this one: another tab may have put its own there since. */
export function forgetDraft(name: string, text: string): void {
  if (stored(name) === text) localStorage.removeItem(name);
}
