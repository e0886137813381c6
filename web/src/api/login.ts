/** The moment a session ends under a page: whoever asked waits until somebody has logged in again. */

type Listener = (open: boolean) => void;

/** Where somebody has logged in again: in the dialog over this page, or in another tab. */
export type Where = 'here' | 'elsewhere';

let waiting: { done: Promise<Where>; finish: (where: Where) => void } | null = null;
const listeners = new Set<Listener>();

function tell(open: boolean): void {
  for (const listener of listeners) listener(open);
}

export const login = {
  /** Resolves when somebody has logged in; opens the dialog. */
  needed(): Promise<Where> {
    if (waiting === null) {
      const { promise, resolve } = Promise.withResolvers<Where>();
      waiting = { done: promise, finish: resolve };
      tell(true);
    }
    return waiting.done;
  },
  finished(where: Where): void {
    waiting?.finish(where);
    waiting = null;
    tell(false);
  },
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
