import { useEffect, useState } from 'react';

/** Seconds left of a wait, counted down to 0. `start` is an object, so that the same wait can begin again. */
export function useCountdown(start: { seconds: number | null }): number {
  const [left, setLeft] = useState(start.seconds ?? 0);
  useEffect(() => {
    const until = Date.now() + (start.seconds ?? 0) * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [start]);
  return left;
}
