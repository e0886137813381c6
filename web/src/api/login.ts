/** The moment a session ends under a page: whoever asked waits until somebody has logged in again. */

type Listener = (open: boolean) => void;

let waiting: { done: Promise<void>; finish: () => void } | null = null;
const listeners = new Set<Listener>();

function tell(open: boolean): void {
  for (const listener of listeners) listener(open);
}

export const login = {
  /** Resolves when somebody has logged in; opens the dialog. */
  needed(): Promise<void> {
    if (waiting === null) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = { done: promise, finish: resolve };
      tell(true);
    }
    return waiting.done;
  },
  finished(): void {
    waiting?.finish();
    waiting = null;
    tell(false);
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
