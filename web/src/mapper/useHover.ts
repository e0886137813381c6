import { type RefObject, useCallback, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Row, SourceNode, TargetNode } from '../core/model';
import type { MapperState } from './useMapper';

/** What the pointer is over, on any of the three sides, as rows and a written path. */
export interface Hovered {
  sources: string[];
  targets: string[];
}

/** Outside of React's tree, so that only the output is drawn anew when the pointer moves on. */
let hoveredId: string | null = null;
const listeners = new Set<() => void>();

function hoverTarget(id: string | null): void {
  if (id === hoveredId) return;
  hoveredId = id;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The target row whose text in the output is marked, since the pointer is on one of its ends. */
export function useHoveredTarget(): string | null {
  return useSyncExternalStore(subscribe, () => hoveredId);
}

const NOTHING: Hovered = { sources: [], targets: [] };

/**
 * Shows where a value comes from and goes to, from whichever side it is pointed at. Rows are marked
 * directly: drawing both trees anew for each row the pointer passes would be felt.
 */
export function useHover(mapper: MapperState, frame: RefObject<HTMLElement | null>) {
  const last = useRef<string>('');
  const { links } = mapper;

  const light = useCallback(
    (hovered: Hovered) => {
      const stage = frame.current;
      if (stage === null || stage.dataset.dragging !== undefined) return;
      const key = JSON.stringify(hovered);
      if (key === last.current) return;
      last.current = key;
      for (const row of stage.querySelectorAll('[data-lit]')) row.removeAttribute('data-lit');
      const mark = (panel: string, ids: string[]) => {
        for (const id of ids) {
          const selector = `[data-panel=${panel}] [data-node="${CSS.escape(id)}"]`;
          stage.querySelector(selector)?.setAttribute('data-lit', '');
        }
      };
      mark('source', hovered.sources);
      mark('target', hovered.targets);
      hoverTarget(hovered.targets[0] ?? null);
    },
    [frame],
  );
  const sourcesOf = useCallback(
    (targetId: string) =>
      (links.byTarget.get(targetId) ?? []).flatMap((rule) => links.sourcesOfRule.get(rule) ?? []),
    [links],
  );
  const targetsOf = useCallback(
    (sourceId: string) => {
      const rules = new Set(links.bySource.get(sourceId));
      return [...links.byTarget]
        .filter(([, own]) => own.some((rule) => rules.has(rule)))
        .map(([id]) => id);
    },
    [links],
  );
  return useMemo(
    () => ({
      onSource: (row: Row<SourceNode> | null) =>
        light(row === null ? NOTHING : { sources: [], targets: targetsOf(row.node.id) }),
      onTarget: (row: Row<TargetNode> | null) =>
        light(row === null ? NOTHING : { sources: sourcesOf(row.node.id), targets: [row.node.id] }),
      /** From the output: the row that was written, and the very fields it was read from. */
      onOutput: (targetId: string | null, sources: string[]) =>
        light(targetId === null ? NOTHING : { sources, targets: [targetId] }),
    }),
    [light, sourcesOf, targetsOf],
  );
}

export type Hover = ReturnType<typeof useHover>;
