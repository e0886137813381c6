import { useSyncExternalStore } from 'react';

const TICK_MS = 30_000;

let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  ticks += 1;
  for (const listener of listeners) listener();
}

/** One timer for the whole page, and none while nobody sees it. */
function wind(): void {
  clearInterval(timer);
  timer = undefined;
  if (listeners.size > 0 && !document.hidden) timer = setInterval(tick, TICK_MS);
}

function shownAgain(): void {
  wind();
  if (!document.hidden) tick();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', shownAgain);
  listeners.add(listener);
  if (timer === undefined) wind();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', shownAgain);
    wind();
  };
}

/** Draws whoever calls it anew twice a minute, and when the page is looked at again. */
export function useTicking(): void {
  useSyncExternalStore(subscribe, () => ticks);
}
