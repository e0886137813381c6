/** Drafts in the storage of this browser: one for each map, and for each user one new map. */
import { type Draft, decodeDraft } from '../core/draft';

/** `mapId` null: a map that was never saved; it has no number that only its account can open. */
export function draftName(mapId: number | null, userId: number): string {
  return mapId === null ? `longshore.draft.new.${userId}` : `longshore.draft.${mapId}`;
}

/** A draft and the text it was read from, by which a page knows its own again. */
export interface KeptDraft {
  draft: Draft;
  text: string;
}

export function readDraft(name: string): KeptDraft | null {
  const text = stored(name);
  const draft = text === null ? null : decodeDraft(text);
  return text === null || draft === null ? null : { draft, text };
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
