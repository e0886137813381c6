/** The keys that work on every page. */
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useSyncExternalStore } from 'react';

/** Single characters get in the way of speech input, so they can be switched off (WCAG 2.1.4). */
export function useSingleKeys() {
  return useLocalStorage({ key: 'longshore.single-keys', defaultValue: true });
}

let open = false;
const listeners = new Set<() => void>();

/** Whether the sheet of the keys is shown. */
export const sheet = {
  set(shown: boolean): void {
    open = shown;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useSheet(): boolean {
  return useSyncExternalStore(sheet.subscribe, () => open);
}

const ACTIONS: Record<string, () => boolean> = {
  '?': () => {
    sheet.set(true);
    return true;
  },
  '/': () => {
    const search = document.querySelector<HTMLElement>(
      'main input[type=search], main [role=searchbox]',
    );
    search?.focus();
    return search !== null;
  },
};

/** Listens for `?` and `/` outside of fields and dialogs. A page that uses a key itself prevents its default. */
export function useShortcuts(): void {
  const [enabled] = useSingleKeys();
  useEffect(() => {
    if (!enabled) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      if (ACTIONS[event.key]?.()) event.preventDefault();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [enabled]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]',
    ) !== null
  );
}
