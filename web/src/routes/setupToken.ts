/**
 * The token of a one-time link, taken from the address before anything else sees the address, and
 * removed from it: it is in no history, no bookmark and no log.
 */

let token = take();
const listeners = new Set<() => void>();

function take(): string {
  if (window.location.pathname !== '/setup' || window.location.hash === '') return '';
  const found = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
  window.history.replaceState(window.history.state, '', window.location.pathname);
  return found;
}

// Another link pasted into the same tab changes no more than what follows the #.
window.addEventListener('hashchange', () => {
  const found = take();
  if (found === '') return;
  token = found;
  for (const listener of listeners) listener();
});

export const setupToken = {
  current: (): string => token,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
