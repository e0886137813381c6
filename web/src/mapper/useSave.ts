import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { api, data } from '../api/client';
import { isApiError } from '../api/error';
import { announce } from '../ui/LiveRegion';
import { notifyFailed } from '../ui/notify';
import { type Base, baseOf, type MapDetail, saved } from './server';
import type { Editor } from './useEditor';

export interface Saving {
  status: 'idle' | 'saving' | 'conflict' | 'failed';
  /** What somebody else has saved meanwhile. */
  theirs: Base | null;
  error: unknown;
  save: () => Promise<boolean>;
  /** Leaves the conflict; the edits stay. */
  leave: () => void;
}

/**
 * Saves against the version that was edited; what somebody else saved is never overwritten.
 * `onCreated` hears the number of a map that was new.
 */
export function useSave(editor: Editor, onCreated?: (id: number) => void): Saving {
  const [status, setStatus] = useState<Saving['status']>('idle');
  const [theirs, setTheirs] = useState<Base | null>(null);
  const [error, setError] = useState<unknown>(null);
  const busy = useRef(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { state, base, readOnly, dirty, wasSaved } = editor;

  const store = useCallback(
    (map: MapDetail, isNew: boolean) => {
      // The state as it was sent: what was typed while it was saved stays unsaved.
      wasSaved({ ...baseOf(map), state }, state);
      queries.setQueryData(['map', String(map.id), 'newest'], map);
      void queries.invalidateQueries({ queryKey: ['maps'] });
      void queries.invalidateQueries({ queryKey: ['map', String(map.id), 'versions'] });
      if (isNew) {
        onCreated?.(map.id);
        void navigate({
          to: '/app/maps/$mapId',
          params: { mapId: String(map.id) },
          search: (before) => before,
          replace: true,
          ignoreBlocker: true,
        });
      }
    },
    [wasSaved, state, queries, navigate, onCreated],
  );
  const refused = useCallback(
    async (refusal: unknown) => {
      if (base !== null && isApiError(refusal) && refusal.code === 'edit_conflict') {
        const params = { path: { map_id: String(base.id) }, query: {} };
        const newest = await data(api.GET('/api/maps/{map_id}', { params }));
        setTheirs(baseOf(newest.map));
        setStatus('conflict');
        announce('Another user saved this map in the meantime.');
        return;
      }
      setError(refusal);
      setStatus('failed');
      notifyFailed('The map was not saved.', refusal);
    },
    [base],
  );
  const save = useCallback(async () => {
    if (busy.current || readOnly || (base !== null && !dirty)) return false;
    busy.current = true;
    setStatus('saving');
    setError(null);
    try {
      const answer = await saved(state, base);
      store(answer.map, base === null);
      setStatus('idle');
      const { failed } = answer.tests;
      announce(
        failed === 0
          ? `Saved version ${answer.map.version}.`
          : `Saved version ${answer.map.version}; ${failed} tests fail.`,
      );
      return true;
    } catch (refusal) {
      await refused(refusal).catch((second: unknown) => {
        setStatus('failed');
        notifyFailed('The map was not saved.', second);
      });
      return false;
    } finally {
      busy.current = false;
    }
  }, [readOnly, dirty, state, base, store, refused]);
  const leave = useCallback(() => {
    setTheirs(null);
    setStatus('idle');
  }, []);
  return { status, theirs, error, save, leave };
}
