import { useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../api/session';
import { type Draft, encodeDraft, newIdentity } from '../core/draft';
import { draftOfNew, draftOfSaved, forgetDraft, readDraft, writeDraft } from './drafts';
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
  const { state, base, dirty, canUndo, first } = editor;
  const userId = useSession().user.id;
  const begun = useMemo(() => newIdentity(first), [first]);
  const { name, of } =
    base === null ? draftOfNew(userId, begun) : draftOfSaved(base.id, base.identity);
  const [found, setFound] = useState(() => ({ name, stored: readDraft({ name, of }) }));
  /** The draft this page answers for: what it wrote, or was offered and has answered. */
  const own = useRef<{ name: string; text: string } | null>(null);
  // With its first save a new map gets a name; an offer not answered by then waits for the next one.
  const offered = found.name === name ? found.stored : null;
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
      const at = new Date().toISOString();
      const text = encodeDraft(state, { of, baseVersion: base?.version ?? null, at });
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
  }, [offered, name, of, changed, state, base?.version]);
  const answered = () => {
    own.current = offered === null ? null : { name, text: offered.text };
    setFound({ name, stored: null });
  };
  return { offered: offered?.draft ?? null, answered };
}
