/** What every call to the server carries: the environment shown, and the token of the session. */

export type Environment = 'sandbox' | 'production';

const KEY = 'longshore.environment';

let csrfToken = '';
let userId: number | null = null;
let environment: Environment = stored();
const listeners = new Set<() => void>();

function stored(): Environment {
  try {
    return sessionStorage.getItem(KEY) === 'production' ? 'production' : 'sandbox';
  } catch {
    return 'sandbox';
  }
}

export const context = {
  csrfToken: (): string => csrfToken,
  environment: (): Environment => environment,
  /** Whose session the page was begun with. */
  userId: (): number | null => userId,
  setSession(token: string, user: number): void {
    csrfToken = token;
    userId = user;
  },
  setEnvironment(chosen: Environment): void {
    environment = chosen;
    try {
      sessionStorage.setItem(KEY, chosen);
    } catch {
      // Storage may be switched off; the choice then lasts as long as the page.
    }
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
