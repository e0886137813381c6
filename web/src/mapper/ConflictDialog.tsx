import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type RuleConflict, resolved, ruleDiff, threeWay } from '../core/diff';
import type { MapState, Rule } from '../core/model';
import { counted } from '../core/treeWords';
import overlay from './Overlay.module.css';
import type { Base } from './server';
import type { Bench } from './useBench';
import type { Saving } from './useSave';

type Sides = Readonly<Record<string, 'mine' | 'theirs'>>;

/** Somebody else saved meanwhile: what both changed is decided rule by rule, and nothing is lost. */
export function ConflictDialog({ bench, saving }: { bench: Bench; saving: Saving }) {
  const { theirs } = saving;
  const base = bench.editor.base;
  return (
    <Modal
      opened={theirs !== null}
      onClose={saving.leave}
      title="Somebody else has saved this map"
      size="lg"
    >
      {theirs !== null && base !== null && (
        <Decide bench={bench} saving={saving} base={base} theirs={theirs} />
      )}
    </Modal>
  );
}

interface Props {
  bench: Bench;
  saving: Saving;
  base: Base;
  theirs: Base;
}

function Decide({ bench, saving, base, theirs }: Props) {
  const { state, rebase } = bench.editor;
  const merge = useMemo(
    () => threeWay(base.state.field_map, state.field_map, theirs.state.field_map),
    [base, state.field_map, theirs],
  );
  const [sides, setSides] = useState<Sides>({});
  const finish = (next: MapState) => {
    rebase(theirs, next);
    saving.leave();
  };
  const merged = () => {
    let rules: Rule[] = merge.merged;
    for (const conflict of merge.conflicts) {
      if (sides[conflict.tgt] === 'theirs') rules = resolved(rules, conflict, conflict.theirs);
    }
    finish({ ...mergedMembers(base.state, state, theirs.state), field_map: rules });
  };
  const changes = ruleDiff(base.state.field_map, theirs.state.field_map).length;
  return (
    <Stack gap="md">
      <Text>
        Version {theirs.version} was saved after your version {base.version}. It changes{' '}
        {counted(changes, 'rule')}.{' '}
        {merge.conflicts.length === 0
          ? 'Your changes and theirs do not meet.'
          : `Changed by both: ${counted(merge.conflicts.length, 'rule')}.`}
      </Text>
      {merge.conflicts.length > 0 && (
        <ul className={overlay.list} aria-label="Rules changed by both">
          {merge.conflicts.map((conflict) => (
            <li key={conflict.tgt} className={overlay.item}>
              <Radio.Group
                label={<code>{conflict.tgt}</code>}
                value={sides[conflict.tgt] ?? 'mine'}
                onChange={(side) =>
                  setSides({ ...sides, [conflict.tgt]: side === 'theirs' ? 'theirs' : 'mine' })
                }
              >
                <Stack gap={6} mt={6}>
                  <Radio value="mine" label={`Mine: ${words(conflict, 'mine')}`} />
                  <Radio value="theirs" label={`Theirs: ${words(conflict, 'theirs')}`} />
                </Stack>
              </Radio.Group>
            </li>
          ))}
        </ul>
      )}
      <Group gap="sm">
        <Button onClick={merged}>Merge</Button>
        <Button variant="default" onClick={() => finish(state)}>
          Keep all of mine
        </Button>
        <Button variant="default" onClick={() => finish(theirs.state)}>
          Take all of theirs
        </Button>
        <Button variant="default" onClick={saving.leave}>
          Decide later
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Nothing is saved yet: look at the result, then save. Undo brings your state back.
      </Text>
    </Stack>
  );
}

function words(conflict: RuleConflict, side: 'mine' | 'theirs'): string {
  const rules = conflict[side];
  return rules.length === 0 ? 'removed' : rules.map((rule) => JSON.stringify(rule)).join(' ');
}

/** Members beside the rules: mine where I changed them, else theirs. */
function mergedMembers(base: MapState, mine: MapState, theirs: MapState): MapState {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const pick = <Value,>(old: Value, own: Value, other: Value) => (same(old, own) ? other : own);
  return {
    ...mine,
    name: pick(base.name, mine.name, theirs.name),
    description: pick(base.description, mine.description, theirs.description),
    source_fmt: pick(base.source_fmt, mine.source_fmt, theirs.source_fmt),
    target_fmt: pick(base.target_fmt, mine.target_fmt, theirs.target_fmt),
    tx_set: pick(base.tx_set, mine.tx_set, theirs.tx_set),
    direction: pick(base.direction, mine.direction, theirs.direction),
    lookups: pick(base.lookups, mine.lookups, theirs.lookups),
    sample: pick(base.sample, mine.sample, theirs.sample),
    target_sample: pick(base.target_sample, mine.target_sample, theirs.target_sample),
    tests: pick(base.tests, mine.tests, theirs.tests),
  };
}
