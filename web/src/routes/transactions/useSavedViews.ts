import { useState } from 'react';
import { useSession } from '../../api/session';
import { decodeViews, type SavedView } from '../../core/savedViews';

/** Where a view may narrow the list; order and page belong to a moment. */
const FILTERS = new Set([
  ...['q', 'direction', 'tx_set', 'partner_id', 'status', 'processing_status', 'ack_status'],
  ...['validation_status', 'delivery_status', 'control_number', 'business_key', 'open'],
  ...['date_from', 'date_to'],
]);

/** The views that this user has kept in this browser, and how to keep others. */
export function useSavedViews(): [SavedView[], (views: SavedView[]) => void] {
  const { account, user } = useSession();
  const name = `longshore.views.transactions.${account.id}.${user.id}`;
  const [views, setViews] = useState(() => decodeViews(stored(name), FILTERS));
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
