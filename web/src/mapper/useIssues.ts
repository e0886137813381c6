import { useMemo } from 'react';
import { isApiError } from '../api/error';
import { coverage, type Issue, issues } from '../core/issues';
import type { MapState } from '../core/model';
import type { Preview } from './usePreview';
import type { Trees } from './useView';

export interface ShownIssue extends Issue {
  /** The target path it is about; '' if none. */
  place: string;
}

/** What is wrong or doubtful: found in the map, refused by the engine, and warned of. */
export function useIssues(
  state: MapState,
  trees: Trees,
  preview: Preview,
): { list: ShownIssue[]; coverage: string } {
  const { answer, error } = preview;
  const list = useMemo(() => {
    const errors = isApiError(error) ? error.details : [];
    const notices = error === null ? (answer?.warnings ?? []) : [];
    const { source, target } = trees;
    return issues({ state, source, target, errors, notices }).map((issue) => ({
      ...issue,
      place:
        (issue.rule === null ? undefined : state.field_map[issue.rule]?.tgt) ?? issue.target ?? '',
    }));
  }, [state, trees, answer, error]);
  const covered = useMemo(
    () => coverage(trees.source, answer?.explain?.unused ?? []).text,
    [trees.source, answer],
  );
  return { list, coverage: answer?.explain === undefined ? '' : covered };
}
