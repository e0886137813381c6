import { Button, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Outcomes.module.css';

/** What became of one of several things. */
export interface Outcome {
  id: number;
  /** What it became, or why nothing did. */
  became: string;
  isRefused: boolean;
}

interface ListProps<Each extends Outcome> {
  outcomes: readonly Each[];
  /** How one is called: its name, or a link to it. */
  name: (outcome: Each) => ReactNode;
}

/** What became of several things, one by one. */
export function OutcomeList<Each extends Outcome>({ outcomes, name }: ListProps<Each>) {
  if (outcomes.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Results">
      {outcomes.map((outcome) => (
        <li key={outcome.id} className={outcome.isRefused ? classes.refused : ''}>
          {name(outcome)}: {outcome.became}
        </li>
      ))}
    </ul>
  );
}

interface Props<Each extends Outcome> extends ListProps<Each> {
  /** How many there will be. */
  total: number;
  onClose: () => void;
}

/** How far something done to several things is, and what became of each. */
export function Outcomes<Each extends Outcome>({ outcomes, name, total, onClose }: Props<Each>) {
  const isDone = outcomes.length === total;
  return (
    <Stack gap="lg">
      <Text>
        {outcomes.length} of {total} done
      </Text>
      {!isDone && <Progress value={(100 * outcomes.length) / total} aria-label="Done" />}
      <OutcomeList outcomes={outcomes} name={name} />
      <div className={classes.buttons}>
        <Button disabled={!isDone} onClick={onClose}>
          Close
        </Button>
      </div>
    </Stack>
  );
}
