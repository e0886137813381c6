import { useMemo } from 'react';
import { chip } from '../core/chips';
import type { MapState, Rule, SourceNode, Suggestion, TargetNode } from '../core/model';
import { rowsOfKeys, sourceByKey, TargetFinder } from '../core/places';
import { rejectionKey } from '../core/rules';
import type { ShownInstances } from '../core/source';
import { added, type Faults } from './faults';
import type { RuleChip } from './TargetRow';
import type { Preview, PreviewAnswer } from './usePreview';
import type { Links, Trees } from './useView';

type Explained = NonNullable<PreviewAnswer['explain']>['outputs'][number];

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
      if (rule !== undefined) added(found, rule, each);
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

const MAX_LOOKED_AT = 2000;

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
  if (outputs.length < 2 || outputs.length > MAX_LOOKED_AT) return outputs[0] ?? null;
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
