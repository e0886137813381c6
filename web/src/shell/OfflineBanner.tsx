import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isApiError } from '../api/error';
import { Icon } from '../ui/Icon';
import classes from './Shell.module.css';

const ASK_AGAIN_MS = 4000;

/** Says that the server cannot be reached, and asks again until it can. */
export function OfflineBanner() {
  const queries = useQueryClient();
  const [offline, setOffline] = useState(false);
  useEffect(() => {
    const cache = queries.getQueryCache();
    const look = () =>
      setOffline(
        cache
          .getAll()
          .some(({ state }) => isApiError(state.error) && state.error.code === 'offline'),
      );
    look();
    return cache.subscribe(look);
  }, [queries]);
  useEffect(() => {
    if (!offline) return;
    const failed = () =>
      void queries.refetchQueries({ predicate: ({ state }) => isApiError(state.error) });
    const timer = setInterval(failed, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [offline, queries]);
  if (!offline) return null;
  return (
    <div role="status" className={classes.offline}>
      <Icon name="alert" size={16} /> No connection to the server. Trying again by itself.
    </div>
  );
}
