/** What is typed into fields and dialogs of the mapper and is not yet part of the map. */
import { useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Saving } from './useSave';

interface Entry {
  commit: () => void;
}

const entries = new Set<Entry>();

/** Whether anything is typed that the map has not taken up. */
export function hasTyped(): boolean {
  return entries.size > 0;
}

/** Takes up all that is typed; false if some of it cannot be, which then says why in its place. */
export function takeUp(): boolean {
  // One after the other: each adds its change to the map as the one before has left it.
  for (const { commit } of [...entries]) flushSync(commit);
  return !hasTyped();
}

/** Tells that a field holds what the map has not; `commit` takes it up, or leaves it and says why. */
export function useTyped(isTyped: boolean, commit: () => void): void {
  const latest = useRef(commit);
  latest.current = commit;
  useLayoutEffect(() => {
    if (!isTyped) return;
    const entry = { commit: () => latest.current() };
    entries.add(entry);
    return () => {
      entries.delete(entry);
    };
  }, [isTyped]);
}

/** Saves with all that is typed; nothing is saved while some of it cannot be taken up. */
export function useSaveTyped(saving: Saving): () => Promise<boolean> {
  const latest = useRef(saving.save);
  latest.current = saving.save;
  return async () => takeUp() && latest.current();
}
