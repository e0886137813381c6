import { Button, Progress, Stack, Text } from '@mantine/core';
import classes from './Interchanges.module.css';

export interface Outcome {
  id: number;
  /** What became of it, or why nothing did. */
  text: string;
  isRefused: boolean;
}

interface Props {
  outcomes: readonly Outcome[];
  total: number;
  onClose: () => void;
}

/** How far a decision about several interchanges is, and what became of each. */
export function DecisionOutcomes({ outcomes, total, onClose }: Props) {
  const isDone = outcomes.length === total;
  return (
    <Stack gap="lg">
      <Text>
        {outcomes.length} of {total} done
      </Text>
      {!isDone && <Progress value={(100 * outcomes.length) / total} aria-label="Done" />}
      <ul className={classes.outcomes} aria-label="What became of them">
        {outcomes.map(({ id, text, isRefused }) => (
          <li key={id} className={isRefused ? classes.refused : ''}>
            Interchange {id}: {text}
          </li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button disabled={!isDone} onClick={onClose}>
          Close
        </Button>
      </div>
    </Stack>
  );
}
