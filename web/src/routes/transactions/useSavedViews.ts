import { useState } from 'react';
import { useSession } from '../../api/session';
import { decodeViews, type SavedView } from '../../core/savedViews';
import { TRANSACTION_FILTERS } from './search';

/** The views that this user has saved in this browser, and how to save others: filters alone. */
export function useSavedViews(): [SavedView[], (views: SavedView[]) => void] {
  const { account, user } = useSession();
  const name = `longshore.views.transactions.${account.id}.${user.id}`;
  const [views, setViews] = useState(() => decodeViews(stored(name), TRANSACTION_FILTERS));
  const keep = (changed: SavedView[]) => {
    setViews(changed);
    try {
      localStorage.setItem(name, JSON.stringify(changed));
    } catch {
      // Storage may be full or switched off; the views then last as long as the page.
    }
  };
  return [views, keep];
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
