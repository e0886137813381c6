import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { MapperState } from './useMapper';

const route = getRouteApi('/app/maps/$mapId');
const ROW_AFTER_MS = 250;

export type PanelName = 'preview' | 'issues' | 'tests';
export type ViewName = 'code' | 'history' | 'use' | 'replay' | 'settings';
/** What is shown where there is no room for all. */
export type Part = 'map' | 'side';
/** Dialogs that no address names. */
export type Sheet = 'keys' | 'add-document' | 'source' | null;

/** What of the page stands in its address, and which of its parts is shown. */
export function usePage(mapper: MapperState) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [part, setPart] = useState<Part>('map');
  const [sheet, setSheet] = useState<Sheet>(null);
  const [codeFor, setCodeFor] = useState<string | null>(null);
  const [constantFor, setConstantFor] = useState<string | null>(null);
  const { active, reveal } = mapper.targetSide.tree;
  const { settled } = mapper;
  const { targetById } = mapper.trees;

  const go = useCallback(
    (change: Partial<typeof search>) => {
      void navigate({
        search: (before) => {
          const after = { ...before, ...change };
          for (const [name, value] of Object.entries(change)) {
            if (value === undefined) Reflect.deleteProperty(after, name);
          }
          return after;
        },
        // What opens over the page is closed by Back; the chosen row is no step of its own.
        replace: change.view === undefined,
        resetScroll: false,
        ignoreBlocker: true,
      });
    },
    [navigate],
  );

  // The row of the address is selected once all rows are there, or the tree would scroll to where it
  // stands without those of the schema; from then on it follows the selection.
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current || !settled || targetById.size === 0) return;
    begun.current = true;
    if (search.row !== undefined && targetById.has(search.row)) reveal(search.row);
  }, [settled, targetById, search.row, reveal]);
  useEffect(() => {
    if (!begun.current || active === null) return;
    const timer = setTimeout(() => {
      if (search.row !== active) go({ row: active });
    }, ROW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [active, search.row, go]);

  return {
    panel: search.panel ?? 'preview',
    view: search.view ?? null,
    version: search.version ?? null,
    setPanel: (panel: PanelName) => go({ panel: panel === 'preview' ? undefined : panel }),
    setView: (view: ViewName | null) => go({ view: view ?? undefined, version: undefined }),
    setVersion: (version: number | null) => go({ version: version ?? undefined }),
    part,
    setPart,
    sheet,
    setSheet,
    codeFor,
    setCodeFor,
    constantFor,
    setConstantFor,
  };
}

export type Page = ReturnType<typeof usePage>;
