import { useMemo } from 'react';
import type { InspectResult, MapState, Rule, Schema, SourceNode } from '../core/model';
import { leadOf, loopsOf } from '../core/paths';
import { rulesBySource, rulesByTarget } from '../core/places';
import { addedBranch, allRows, byPath, sourceTree } from '../core/source';
import { targetTree } from '../core/target';

/** A line between two rows; `rules` are what it stands for. */
export interface Line {
  key: string;
  source: string;
  target: string;
  rules: number[];
  /** A loop to the array it fills. */
  group: boolean;
}

/** A code the sample has not, for which a row was asked for. */
export interface AddedBranch {
  group: string;
  code: string;
}

function withBranches(
  nodes: readonly SourceNode[],
  branches: readonly AddedBranch[],
): SourceNode[] {
  if (branches.length === 0) return [...nodes];
  return nodes.map((node) => {
    const added = branches.flatMap(({ group, code }) =>
      group === node.id ? (addedBranch(node, code) ?? []) : [],
    );
    return { ...node, children: [...added, ...withBranches(node.children, branches)] };
  });
}

/** The rows of both sides. */
export function useTrees(
  state: MapState,
  inspection: InspectResult | undefined,
  sourceSchema: Schema | null,
  targetSchema: Schema | null,
  branches: readonly AddedBranch[],
) {
  const { target_fmt, target_sample, field_map } = state;
  const source = useMemo(
    () =>
      inspection === undefined ? [] : withBranches(sourceTree(inspection, sourceSchema), branches),
    [inspection, sourceSchema, branches],
  );
  const target = useMemo(
    () => targetTree(target_fmt, target_sample, field_map, targetSchema),
    [target_fmt, target_sample, field_map, targetSchema],
  );
  const sourceById = useMemo(() => new Map([...allRows(source)].map((n) => [n.id, n])), [source]);
  const targetById = useMemo(() => new Map([...allRows(target)].map((n) => [n.id, n])), [target]);
  const sourceByPath = useMemo(() => byPath(source), [source]);
  return useMemo(
    () => ({ source, target, sourceById, targetById, sourceByPath }),
    [source, target, sourceById, targetById, sourceByPath],
  );
}

export type Trees = ReturnType<typeof useTrees>;

/** Which rules belong to which rows, and the lines between them. */
export function useLinks(state: MapState, trees: Trees) {
  const { field_map, target_fmt } = state;
  return useMemo(() => {
    const bySource = rulesBySource(trees.source, field_map);
    const byTarget = rulesByTarget(target_fmt, trees.target, field_map);
    const sourcesOfRule = inverted(bySource);
    const lines: Line[] = [];
    for (const [target, rules] of byTarget) {
      for (const rule of rules) {
        for (const source of sourcesOfRule.get(rule) ?? []) {
          lines.push({ key: `${source}\n${target}`, source, target, rules: [rule], group: false });
        }
      }
    }
    const forEach = loopsOfArrays(trees, field_map, byTarget);
    return {
      bySource,
      byTarget,
      sourcesOfRule,
      forEach,
      lines: [...groups(trees, forEach), ...lines],
    };
  }, [field_map, target_fmt, trees]);
}

export type Links = ReturnType<typeof useLinks>;

function inverted(byRow: ReadonlyMap<string, number[]>): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const [id, rules] of byRow) {
    for (const rule of rules) found.set(rule, [...(found.get(rule) ?? []), id]);
  }
  return found;
}

/** For each array row the loop its rules repeat for; derived, never stored. */
function loopsOfArrays(
  trees: Trees,
  rules: readonly Rule[],
  byTarget: ReadonlyMap<string, number[]>,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const [target, indexes] of byTarget) {
    for (const index of indexes) {
      const rule = rules[index];
      const loops = loopsOf(leadOf(rule?.src));
      const arrays = loopsOf(trees.targetById.get(target)?.path ?? '');
      arrays.forEach((array, level) => {
        const loop = loops[level];
        if (loop !== undefined && !found.has(array)) found.set(array, loop);
      });
    }
  }
  return found;
}

function groups(trees: Trees, forEach: ReadonlyMap<string, string>): Line[] {
  const loopRows = new Map<string, string>();
  for (const node of allRows(trees.source)) {
    const own = node.loops.at(-1);
    if (own !== undefined && node.children.length > 0 && !loopRows.has(own)) {
      loopRows.set(own, node.id);
    }
  }
  return [...forEach].flatMap(([target, loop]) => {
    const source = loopRows.get(loop);
    return source === undefined || !trees.targetById.has(target)
      ? []
      : [{ key: `${source}\n${target}`, source, target, rules: [], group: true }];
  });
}
