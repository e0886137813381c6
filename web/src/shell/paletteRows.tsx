import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../api/session';
import { fits, type RowWords, recordWords } from '../core/paletteWords';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import type { Search } from './found';
import { pagesFor } from './pages';
import { sheet } from './shortcuts';

/** What a row shows, and what happens by Enter or a click. */
export interface PaletteRow extends RowWords {
  id: string;
  icon: ReactNode;
  go: () => void;
  /** What else people call it. */
  alias?: string;
  /** The palette stays open. */
  stays?: true;
}

export interface PaletteGroup {
  name: string;
  rows: PaletteRow[];
}

/** Every page by its name, and what is made often: those that fit what is typed. */
export function usePages(typed: string): PaletteGroup {
  const navigate = useNavigate();
  const { user } = useSession();
  const plus = <Icon name="plus" />;
  const making: PaletteRow[] = [
    {
      ...{ id: 'new-partner', label: 'New partner', icon: plus },
      description: 'A company to exchange documents with',
      alias: 'add partner, create partner',
      go: () => void navigate({ to: '/app/partners', search: { new: true } }),
    },
    {
      ...{ id: 'new-map', label: 'New map', icon: plus },
      description: 'Create a map from a document',
      alias: 'add map, create map',
      go: () => void navigate({ to: '/app/maps/$mapId', params: { mapId: 'new' } }),
    },
    {
      ...{ id: 'new-key', label: 'New API key', icon: plus },
      description: 'For a program that calls Longshore',
      alias: 'add API key, create API key',
      go: () => void navigate({ to: '/app/keys', search: { new: true } }),
    },
  ];
  const all: PaletteRow[] = [
    ...pagesFor(user.role).map(({ to, name, icon, about }) => ({
      ...{ id: to, label: name, description: about, icon: <Icon name={icon} /> },
      go: () => void navigate({ to }),
    })),
    // Somebody who may only read makes nothing.
    ...(user.role === 'viewer' ? [] : making),
    {
      ...{ id: 'keyboard', label: 'Keyboard', icon: <Icon name="help" /> },
      description: 'Shortcuts that work everywhere',
      go: () => sheet.set(true),
    },
  ];
  return { name: 'Pages', rows: all.filter((row) => fits(row, typed)) };
}

/** What a search found, by kind; of a failed one the way to try again. */
export function useFoundGroups(search: Search, typed: string): PaletteGroup[] {
  const navigate = useNavigate();
  if (search.kind === 'failed') return [{ name: 'Search', rows: [retryRow(search.retry)] }];
  if (search.kind !== 'found') return [];
  const { transactions, hasMore, partners, maps } = search.found;
  const records = transactions.map((record) => ({
    ...{ id: `transaction-${record.id}`, ...recordWords(record), icon: <Icon name="exchange" /> },
    go: () =>
      void navigate({
        to: '/app/transactions/$transactionId',
        params: { transactionId: String(record.id) },
      }),
  }));
  const rest: PaletteRow = {
    ...{ id: 'transactions-all', label: 'All transactions found', icon: <Icon name="search" /> },
    description: 'The complete list, with filters',
    go: () => void navigate({ to: '/app/transactions', search: { q: typed.trim() } }),
  };
  return [
    {
      name: 'Partners',
      rows: partners.map(({ id, name, edi_identity }) => ({
        ...{ id: `partner-${id}`, label: visibleText(name), icon: <Icon name="partners" /> },
        description: edi_identity === '' ? 'Partner' : `Partner, ${visibleText(edi_identity)}`,
        go: () =>
          void navigate({ to: '/app/partners/$partnerId', params: { partnerId: String(id) } }),
      })),
    },
    {
      name: 'Maps',
      rows: maps.map(({ id, name, version }) => ({
        ...{ id: `map-${id}`, label: visibleText(name), icon: <Icon name="map" /> },
        description: `Map, version ${version}`,
        go: () => void navigate({ to: '/app/maps/$mapId', params: { mapId: String(id) } }),
      })),
    },
    { name: 'Transactions', rows: hasMore ? [...records, rest] : records },
  ];
}

function retryRow(retry: () => void): PaletteRow {
  return {
    ...{ id: 'retry', label: 'Search again', description: 'Repeats the search', stays: true },
    icon: <Icon name="search" />,
    go: retry,
  };
}
