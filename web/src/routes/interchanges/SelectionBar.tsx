import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Decision } from '../../core/interchangeWords';
import { counted } from '../../core/treeWords';
import { DecisionDialog } from './DecisionDialog';
import classes from './Interchanges.module.css';
import type { Interchange } from './queries';

interface Props {
  /** Those on the page that wait for a decision. */
  waiting: readonly Interchange[];
  selected: ReadonlySet<number>;
  onSelect: (ids: readonly number[]) => void;
}

/** What can be done with several interchanges in quarantine at once. */
export function SelectionBar({ waiting, selected, onSelect }: Props) {
  // Kept as it was when it was asked: the list may change while the decision is carried out.
  const [asked, setAsked] = useState<{ decision: Decision; of: readonly Interchange[] } | null>(
    null,
  );
  const of = waiting.filter(({ id }) => selected.has(id));
  if (waiting.length === 0 && asked === null) return null;
  return (
    <div className={classes.group}>
      {of.length === 0 ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onSelect(waiting.map(({ id }) => id))}
        >
          Select all in quarantine
        </Button>
      ) : (
        <>
          <Text size="sm">{counted(of.length, 'interchange')} selected</Text>
          <Button size="compact-sm" variant="default" onClick={() => onSelect([])}>
            Select none
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setAsked({ decision: 'release', of })}
          >
            Release…
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setAsked({ decision: 'discard', of })}
          >
            Discard…
          </Button>
        </>
      )}
      {asked !== null && (
        <DecisionDialog decision={asked.decision} of={asked.of} onClose={() => setAsked(null)} />
      )}
    </div>
  );
}
