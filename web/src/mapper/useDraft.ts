import { useEffect, useState } from 'react';
import { type Draft, decodeDraft, encodeDraft } from '../core/draft';
import type { Editor } from './useEditor';

const AFTER_MS = 800;

function nameOf(id: number | null): string {
  return `longshore.draft.${id ?? 'new'}`;
}

function read(id: number | null): Draft | null {
  try {
    const text = localStorage.getItem(nameOf(id));
    return text === null ? null : decodeDraft(text);
  } catch {
    return null;
  }
}

function write(id: number | null, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(nameOf(id));
    else localStorage.setItem(nameOf(id), text);
  } catch {
    // Storage may be full or switched off; then there is no draft to come back to.
  }
}

/**
 * Keeps unsaved rules in this browser, never documents or keys. What a crash left behind is offered
 * once; until that is answered nothing is written over it.
 */
export function useDraft(editor: Editor): {
  offered: Draft | null;
  answered: () => void;
} {
  const { state, base, dirty } = editor;
  const id = base?.id ?? null;
  const [offered, setOffered] = useState<Draft | null>(() => (id === null ? null : read(id)));
  useEffect(() => {
    if (offered !== null || id === null) return;
    if (!dirty) {
      write(id, null);
      return;
    }
    const timer = setTimeout(
      () => write(id, encodeDraft(state, base?.version ?? null, new Date().toISOString())),
      AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [offered, id, dirty, state, base?.version]);
  const answered = () => setOffered(null);
  return { offered, answered };
}
