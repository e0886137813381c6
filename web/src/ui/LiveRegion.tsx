import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

/** Says a text to screen readers. */
export function announce(message: string): void {
  // The same words twice in a row would be no change, and not be read.
  text = message === text ? `${message}\u00a0` : message;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function LiveRegion() {
  const current = useSyncExternalStore(subscribe, () => text);
  return (
    <span role="status" className="ls-visually-hidden">
      {current}
    </span>
  );
}
