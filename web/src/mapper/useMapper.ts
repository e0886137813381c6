import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import {
  type SourceFilter,
  sourceCounts,
  sourceFilter,
  type TargetFilter,
  targetCounts,
  targetFilter,
} from '../core/flatten';
import type { Suggestion } from '../core/model';
import { acceptSuggestions, rejectSuggestion } from '../core/rules';
import { allRows } from '../core/source';
import { documentId, useInspection, useShownDocument, useTried } from './documents';
import { faultsOf, forEachWords } from './faults';
import type { Beginning } from './NewMap';
import { type Base, suggested } from './server';
import { useConnect } from './useConnect';
import { useEditor } from './useEditor';
import { useIssues } from './useIssues';
import { openOffers, useChips, useLineage } from './useLineage';
import { usePreview } from './usePreview';
import { useTreeState } from './useTreeState';
import { type AddedBranch, type Trees, useLinks, useTrees } from './useView';

/** Everything the mapper shows and does, from one map. */
export function useMapper(beginning: Beginning, base: Base | null) {
  const editor = useEditor(beginning.state, base);
  const { state } = editor;
  const documents = useShownDocument(state);
  const { shown } = documents;
  const tried = useTried(shown);
  const read = useInspection(state, shown, tried.document);
  const [branches, setBranches] = useState<readonly AddedBranch[]>([]);
  const addBranch = useCallback(
    (branch: AddedBranch) => setBranches((before) => [...before, branch]),
    [],
  );
  const { inspection, sourceSchema, targetSchema, settled } = read;
  const trees = useTrees(state, inspection.data, sourceSchema, targetSchema, branches);
  const links = useLinks(state, trees);
  const preview = usePreview(state, tried.converted, !tried.isWhole);
  const lineage = useLineage(state, trees, preview);
  const faults = useMemo(() => faultsOf(preview.error), [preview.error]);
  const [instances, setInstances] = useState<ReadonlyMap<string, number>>(new Map());
  const step = useCallback((loop: string, instance: number) => {
    setInstances((before) => new Map(before).set(loop, Math.max(0, instance)));
  }, []);
  const facts = useChips(state, links, trees, lineage, instances, faults);
  const connecting = useConnect(editor, trees);
  const suggestions = useSuggestions(beginning, editor, shown === null ? null : tried.document);
  const offers = useMemo(
    () => openOffers(suggestions.list, links, lineage.finder, new Set(state.rejected)),
    [suggestions.list, links, lineage.finder, state.rejected],
  );

  const problems = useIssues(state, trees, preview);
  const faulty = useMemo(
    () =>
      new Set(
        problems.list.flatMap(({ target, severity }) =>
          target === null || severity === 'info' ? [] : [target],
        ),
      ),
    [problems.list],
  );
  const sourceSide = useSourceSide(
    trees,
    branches,
    links.bySource,
    lineage.unused,
    connecting.picked,
  );
  const targetSide = useTargetSide(trees.target, links.byTarget, faulty, offers);
  const forEach = useMemo(() => {
    const loopRows = new Map(
      [...trees.sourceById.values()]
        .filter((node) => node.children.length > 0 && node.loops.at(-1) === node.id)
        .map((node) => [node.id, node.count]),
    );
    return new Map(
      [...links.forEach].map(([array, loop]) => [
        array,
        forEachWords(loop, loopRows.get(loop) ?? 0),
      ]),
    );
  }, [links.forEach, trees.sourceById]);
  const linkedTo = useMemo(() => {
    const found = new Map<string, string>();
    for (const [id, rules] of links.bySource) {
      found.set(id, rules.map((rule) => state.field_map[rule]?.tgt ?? '').join(', '));
    }
    return found;
  }, [links.bySource, state.field_map]);

  return {
    editor,
    documents,
    tried,
    read,
    trees,
    links,
    preview,
    lineage,
    faults,
    problems,
    instances,
    step,
    addBranch,
    facts,
    connecting,
    offers,
    suggestions,
    sourceSide,
    targetSide,
    forEach,
    linkedTo,
    settled,
  };
}

export type MapperState = ReturnType<typeof useMapper>;

type Targets = Parameters<typeof targetCounts>[0];

function useSourceSide(
  trees: Trees,
  branches: readonly AddedBranch[],
  bySource: ReadonlyMap<string, number[]>,
  unused: ReadonlySet<string>,
  picked: string | null,
) {
  const [filter, setFilter] = useState<SourceFilter>('sample');
  const roots = trees.source;
  const keep = useMemo(
    () =>
      new Set([
        ...bySource.keys(),
        ...(picked === null ? [] : [picked]),
        ...rowsOfBranches(trees, branches),
      ]),
    [bySource, picked, trees, branches],
  );
  const passes = useMemo(() => sourceFilter(filter, unused), [filter, unused]);
  const counts = useMemo(() => sourceCounts(roots, unused), [roots, unused]);
  const tree = useTreeState(roots, keep, passes);
  return { filter, setFilter, counts, tree };
}

/** The rows of codes that were asked for have no values, and are shown all the same. */
function rowsOfBranches(trees: Trees, branches: readonly AddedBranch[]): string[] {
  return branches.flatMap(({ group, code }) => {
    const branch = trees.sourceById.get(group)?.children.find((each) => each.code === code);
    return branch === undefined ? [] : [...allRows([branch])].map(({ id }) => id);
  });
}

function useTargetSide(
  roots: Targets,
  byTarget: ReadonlyMap<string, number[]>,
  faulty: ReadonlySet<string>,
  offers: ReadonlyMap<string, Suggestion>,
) {
  const [filter, setFilter] = useState<TargetFilter>('all');
  const mapped = useMemo(() => new Set(byTarget.keys()), [byTarget]);
  const passes = useMemo(() => targetFilter(filter, mapped, faulty), [filter, mapped, faulty]);
  const counts = useMemo(() => targetCounts(roots, mapped, faulty), [roots, mapped, faulty]);
  const keep = useMemo(() => {
    const always = filter === 'all' ? [...mapped, ...offers.keys()] : [];
    return new Set(always);
  }, [filter, mapped, offers]);
  const tree = useTreeState(roots, keep, passes);
  return { filter, setFilter, counts, tree };
}

function useSuggestions(
  beginning: Beginning,
  editor: ReturnType<typeof useEditor>,
  document: string | null,
) {
  const { state, edit, readOnly } = editor;
  const given = beginning.suggestions;
  const enabled =
    given === null &&
    !readOnly &&
    document !== null &&
    state.target_fmt !== 'x12' &&
    state.target_sample.trim() !== '';
  const query = useQuery({
    queryKey: [
      'suggest',
      document === null ? 0 : documentId(document),
      documentId(state.target_sample),
      state.source_fmt,
      state.target_fmt,
    ],
    queryFn: ({ signal }) => suggested(state, document ?? '', signal),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const list = useMemo<readonly Suggestion[]>(() => given ?? query.data ?? [], [given, query.data]);
  const accept = useCallback(
    (chosen: readonly Suggestion[]) => {
      if (chosen.length === 0) return;
      const done = acceptSuggestions(state, chosen);
      const [only] = chosen;
      edit(
        done.state,
        chosen.length === 1 && only !== undefined
          ? `Linked ${only.src} to ${only.tgt}`
          : done.announcement,
      );
    },
    [state, edit],
  );
  const reject = useCallback(
    (suggestion: Suggestion) => {
      const done = rejectSuggestion(state, suggestion);
      edit(done.state, done.announcement);
    },
    [state, edit],
  );
  const { refetch } = query;
  return { list, accept, reject, isLoading: query.isFetching, error: query.error, refetch };
}
