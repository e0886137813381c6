import { useEffect, useRef, useState } from 'react';
import { useSession } from '../api/session';
import { type Draft, encodeDraft } from '../core/draft';
import { draftName, forgetDraft, readDraft, writeDraft } from './drafts';
import type { Editor } from './useEditor';

const AFTER_MS = 800;

/**
 * Keeps unsaved rules in this browser, never documents or keys. What a crash left behind is offered
 * once; until that is answered nothing is written over it, and nothing of another tab is removed.
 */
export function useDraft(editor: Editor): {
  offered: Draft | null;
  answered: () => void;
} {
  const { state, base, dirty, canUndo } = editor;
  const name = draftName(base?.id ?? null, useSession().user.id);
  const [found, setFound] = useState(() => ({ name, kept: readDraft(name) }));
  /** The draft this page answers for: what it wrote, or was offered and has answered. */
  const own = useRef<{ name: string; text: string } | null>(null);
  // With its first save a new map gets a name; an offer not answered by then waits for the next one.
  const offered = found.name === name ? found.kept : null;
  // A map that was begun and not touched has nothing to come back to.
  const changed = base === null ? canUndo : dirty;
  useEffect(() => {
    if (offered !== null) return;
    const last = own.current;
    if (last !== null && (!changed || last.name !== name)) {
      forgetDraft(last.name, last.text);
      own.current = null;
    }
    if (!changed) return;
    const keep = () => {
      const text = encodeDraft(state, base?.version ?? null, new Date().toISOString());
      own.current = { name, text };
      writeDraft(name, text);
    };
    const timer = setTimeout(keep, AFTER_MS);
    // Another tab with the same map has saved, and removed its draft that lay over this one.
    const onStorage = (event: StorageEvent) => {
      if (event.key === name && event.newValue === null) keep();
    };
    window.addEventListener('storage', onStorage);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('storage', onStorage);
    };
  }, [offered, name, changed, state, base?.version]);
  const answered = () => {
    own.current = offered === null ? null : { name, text: offered.text };
    setFound({ name, kept: null });
  };
  return { offered: offered?.draft ?? null, answered };
}
