/** Suggestions that were refused stay so for a map, in this browser. */
import { useEffect } from 'react';
import type { Editor } from './useEditor';

const REJECTED = 'longshore.rejected.';

export function useRejections(editor: Editor): void {
  const id = editor.base?.id;
  const { rejected } = editor.state;
  useEffect(() => {
    if (id === undefined || rejected.length === 0) return;
    try {
      localStorage.setItem(`${REJECTED}${id}`, JSON.stringify(rejected));
    } catch {
      // Without storage they are offered again after a reload.
    }
  }, [id, rejected]);
}

export function storedRejections(id: number): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(`${REJECTED}${id}`) ?? '[]');
    return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
