import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isApiError } from '../api/error';
import { sessionQuery } from '../api/session';
import { Icon } from '../ui/Icon';
import classes from './Shell.module.css';

const ASK_AGAIN_MS = 4000;

function isOffline(error: unknown): boolean {
  return isApiError(error) && error.code === 'offline';
}

/**
 * Asks for the session, of which the answer is kept: what has failed on the page stays as it is until
 * there is an answer, instead of failing anew every few seconds.
 */
async function goOnIfAnswered(queries: QueryClient): Promise<void> {
  try {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
  } catch (error) {
    if (isOffline(error)) return;
  }
  // Only what had no answer at all: a refusal has a button, and perhaps a time to wait.
  await queries.refetchQueries({ predicate: ({ state }) => isOffline(state.error) });
}

/** Says that the server cannot be reached, and asks again until it can. */
export function OfflineBanner() {
  const queries = useQueryClient();
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    const cache = queries.getQueryCache();
    const look = () => setOffline(cache.getAll().some(({ state }) => isOffline(state.error)));
    look();
    return cache.subscribe(look);
  }, [queries]);
  useEffect(() => {
    if (!offline) return;
    const again = () => void goOnIfAnswered(queries);
    const timer = setInterval(again, ASK_AGAIN_MS);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [offline, queries]);
  return (
    <div role="status">
      {offline && (
        <p className={classes.offline}>
          <Icon name="alert" size={16} /> No connection to the server. Reconnecting automatically.
        </p>
      )}
    </div>
  );
}
