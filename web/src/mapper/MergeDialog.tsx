import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { conflictWords, listed, type MapConflict, mapChanges, mergeMaps } from '../core/merge';
import type { MapState } from '../core/model';
import { visibleText } from '../core/visible';
import overlay from './Overlay.module.css';

/** How both sides are called: before a value, and on the button that takes one side alone. */
export interface SideWords {
  mine: string;
  theirs: string;
  allOfMine: string;
  allOfTheirs: string;
}

interface Props {
  title: string;
  /** What happened; the changes of the others follow it. */
  intro: string;
  words: SideWords;
  base: MapState;
  mine: MapState;
  theirs: MapState;
  /** The map where only mine counts. */
  allMine: MapState;
  onDone: (next: MapState) => void;
  onClose: () => void;
}

/** Two changes of one map become one: what both changed is decided thing by thing, nothing is lost. */
export function MergeDialog(props: Props) {
  return (
    <Modal opened onClose={props.onClose} title={props.title} size="lg">
      <Decide {...props} />
    </Modal>
  );
}

const keyOf = ({ kind, name }: MapConflict) => `${kind} ${name}`;

function Decide({ intro, words, base, mine, theirs, allMine, onDone, onClose }: Props) {
  const merge = useMemo(() => mergeMaps(base, mine, theirs), [base, mine, theirs]);
  const changes = useMemo(() => mapChanges(base, theirs), [base, theirs]);
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const choose = (key: string, side: string) => {
    const next = new Set(taken);
    if (side === 'theirs') next.add(key);
    else next.delete(key);
    setTaken(next);
  };
  const merged = () => {
    const others = merge.conflicts.filter((conflict) => taken.has(keyOf(conflict)));
    onDone(others.reduce((state, conflict) => conflict.takeTheirs(state), merge.merged));
  };
  const met = listed(conflictWords(merge.conflicts));
  return (
    <Stack gap="md">
      <Text>
        {intro} It changes {changes.length === 0 ? 'nothing' : listed(changes)}.{' '}
        {met === '' ? 'Both changes can be kept.' : `Changed by both: ${met}.`}
      </Text>
      {merge.conflicts.length > 0 && (
        <ul className={overlay.list} aria-label="Changed by both">
          {merge.conflicts.map((conflict) => (
            <li key={keyOf(conflict)} className={overlay.item}>
              <Radio.Group
                label={<ConflictName conflict={conflict} />}
                value={taken.has(keyOf(conflict)) ? 'theirs' : 'mine'}
                onChange={(side) => choose(keyOf(conflict), side)}
              >
                <Stack gap={6} mt={6}>
                  <Side value="mine" word={words.mine} text={conflict.mine} />
                  <Side value="theirs" word={words.theirs} text={conflict.theirs} />
                </Stack>
              </Radio.Group>
            </li>
          ))}
        </ul>
      )}
      <Group gap="sm">
        <Button onClick={merged}>Merge</Button>
        <Button variant="default" onClick={() => onDone(allMine)}>
          {words.allOfMine}
        </Button>
        <Button variant="default" onClick={() => onDone({ ...theirs, rejected: mine.rejected })}>
          {words.allOfTheirs}
        </Button>
        <Button variant="default" onClick={onClose}>
          Decide later
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Nothing is saved yet: check the result, then save. Undo restores your state.
      </Text>
    </Stack>
  );
}

/** Rules are known by their target alone; of the rest it is said what it is. */
function ConflictName({ conflict: { kind, name } }: { conflict: MapConflict }) {
  if (kind === 'rule') return <code>{visibleText(name)}</code>;
  return <>{kind === 'setting' ? `The ${name}` : `The ${kind} ${visibleText(name)}`}</>;
}

function Side({ value, word, text }: { value: string; word: string; text: string }) {
  return (
    <Radio
      value={value}
      label={`${word}: ${visibleText(text)}`}
      styles={{ label: { overflowWrap: 'anywhere' } }}
    />
  );
}
