import { useMemo } from 'react';
import { isApiError } from '../api/error';
import { chip } from '../core/chips';
import type {
  InspectResult,
  MapState,
  Rule,
  Schema,
  SourceNode,
  Suggestion,
  TargetNode,
} from '../core/model';
import { lastStep, leadOf, loopsOf, sourcesOf } from '../core/paths';
import {
  rowsOfKeys,
  rulesBySource,
  rulesByTarget,
  sourceByKey,
  TargetFinder,
} from '../core/places';
import { rejectionKey } from '../core/rules';
import { allRows, byPath, type ShownInstances, sourceTree } from '../core/source';
import { targetTree } from '../core/target';
import type { RuleChip } from './TargetRow';
import type { Preview, PreviewAnswer } from './usePreview';

type Explained = NonNullable<PreviewAnswer['explain']>['outputs'][number];

/** A line between two rows; `rules` are what it stands for. */
export interface Line {
  key: string;
  source: string;
  target: string;
  rules: number[];
  /** A loop to the array it fills. */
  group: boolean;
}

/** The rows of both sides. */
export function useTrees(
  state: MapState,
  inspection: InspectResult | undefined,
  sourceSchema: Schema | null,
  targetSchema: Schema | null,
) {
  const { target_fmt, target_sample, field_map } = state;
  const source = useMemo(
    () => (inspection === undefined ? [] : sourceTree(inspection, sourceSchema)),
    [inspection, sourceSchema],
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
    const bySource = rulesBySource(
      trees.source,
      field_map.map((rule) => readable(rule, trees)),
    );
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

/**
 * The sources of a rule by the paths that rows have: `:BEG.03` is the row `BEG.03`, and
 * `PO1[*]:REF.02` that of `PO1[*]>REF.02`, where the tree knows only one of them.
 */
function readable(rule: Rule, trees: Trees): Pick<Rule, 'src'> {
  const known = (path: string) => trees.sourceByPath.has(path);
  const src = sourcesOf(rule.src).map((path) => {
    if (known(path) || !path.includes(':')) return path;
    const plain = path.replace(/^:/, '');
    return known(plain) ? plain : plain.replace(/\]:(?=[A-Z])/g, ']>');
  });
  return { src };
}

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

export interface Faults {
  byRule: Map<number, string[]>;
  general: string[];
}

const RULE_PARAM = /^field_map\[([0-9]+)\]/;

/** What the engine refused, at the rules it names. */
export function faultsOf(error: unknown): Faults {
  const faults: Faults = { byRule: new Map(), general: [] };
  if (error === null || error === undefined) return faults;
  if (!isApiError(error) || error.details.length === 0) {
    faults.general.push(error instanceof Error ? error.message : 'The preview failed.');
    return faults;
  }
  for (const { param, message } of error.details) {
    const index = RULE_PARAM.exec(param ?? '')?.[1];
    if (index === undefined) faults.general.push(message);
    else {
      const at = Number(index);
      faults.byRule.set(at, [...(faults.byRule.get(at) ?? []), message]);
    }
  }
  return faults;
}

/** What explain tells: the values of target rows and the fields nothing reads. */
export function useLineage(state: MapState, trees: Trees, preview: Preview) {
  const explain = preview.answer?.explain;
  const rules = preview.of?.field_map;
  const { target_fmt } = state;
  const byRule = useMemo(() => {
    // By the rule itself: while a newer preview is made, rules may have moved to other places.
    const found = new Map<Rule, Explained[]>();
    for (const each of explain?.outputs ?? []) {
      const rule = each.rule === null ? undefined : rules?.[each.rule];
      if (rule === undefined) continue;
      const own = found.get(rule);
      if (own === undefined) found.set(rule, [each]);
      else own.push(each);
    }
    return found;
  }, [explain, rules]);
  const unused = useMemo(
    () => rowsOfKeys(trees.source, explain?.unused ?? []),
    [trees.source, explain],
  );
  const sourceOfKey = useMemo(() => sourceByKey(trees.source), [trees.source]);
  const finder = useMemo(
    () => new TargetFinder(target_fmt, trees.target),
    [target_fmt, trees.target],
  );
  return useMemo(
    () => ({ outputs: explain?.outputs ?? [], byRule, unused, sourceOfKey, finder }),
    [explain, byRule, unused, sourceOfKey, finder],
  );
}

export type Lineage = ReturnType<typeof useLineage>;

const MOST_LOOKED_AT = 2000;

/** The value a rule writes for the instances shown, else its first. */
export function shownOutput(
  rule: Rule,
  index: number,
  links: Links,
  trees: Trees,
  lineage: Lineage,
  instances: ShownInstances,
): Explained | null {
  const outputs = lineage.byRule.get(rule) ?? [];
  if (outputs.length < 2 || outputs.length > MOST_LOOKED_AT) return outputs[0] ?? null;
  for (const id of links.sourcesOfRule.get(index) ?? []) {
    const key = keyShown(trees.sourceById.get(id), instances);
    const found = outputs.find(({ sources }) => sources.some(({ src }) => src === key));
    if (found !== undefined) return found;
  }
  return outputs[0] ?? null;
}

function keyShown(node: SourceNode | undefined, instances: ShownInstances): string | undefined {
  if (node === undefined) return undefined;
  const wanted = node.loops.map((loop) => instances.get(loop) ?? 0);
  const at = node.bindings.findIndex((binding) => binding.every((each, i) => each === wanted[i]));
  return node.keys[at];
}

export interface TargetFacts {
  chips: RuleChip[];
  value: string;
}

/** The chips of each mapped target row. */
export function useChips(
  state: MapState,
  links: Links,
  trees: Trees,
  lineage: Lineage,
  instances: ShownInstances,
  faults: Faults,
): Map<string, TargetFacts> {
  return useMemo(() => {
    const found = new Map<string, TargetFacts>();
    for (const [target, indexes] of links.byTarget) {
      let value = '';
      const chips = indexes.flatMap((index) => {
        const rule = state.field_map[index];
        if (rule === undefined) return [];
        value = shownOutput(rule, index, links, trees, lineage, instances)?.after ?? value;
        return [ruleChip(rule, trees, (faults.byRule.get(index) ?? []).join(' '))];
      });
      found.set(target, { chips, value });
    }
    return found;
  }, [state.field_map, links, trees, lineage, instances, faults]);
}

function ruleChip(rule: Rule, trees: Trees, fault: string): RuleChip {
  const { text, words } = chip(rule, trees.sourceByPath);
  return { text, words, fault };
}

/** "for each PO1" of the loop `PO1[*]`. */
export function forEachWords(loop: string | undefined, count: number): string {
  if (loop === undefined) return '';
  return `for each ${lastStep(loop)}${count > 1 ? ` ×${count}` : ''}`;
}

/** The suggestions that can still be accepted, by the row they are for. */
export function openOffers(
  suggestions: readonly Suggestion[],
  links: Links,
  finder: TargetFinder,
  rejected: ReadonlySet<string>,
): Map<string, Suggestion> {
  const found = new Map<string, Suggestion>();
  for (const each of suggestions) {
    const node: TargetNode | null = finder.find(each.tgt);
    if (node === null || links.byTarget.has(node.id) || found.has(node.id)) continue;
    if (!rejected.has(rejectionKey(each))) found.set(node.id, each);
  }
  return found;
}
