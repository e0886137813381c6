import { Modal } from '@mantine/core';
import { useState } from 'react';
import { DECISIONS } from '../../core/decisionWords';
import type { Decision } from '../../core/interchangeWords';
import { counted } from '../../core/treeWords';
import { announce } from '../../ui/LiveRegion';
import { type Outcome, Outcomes } from '../../ui/Outcomes';
import { useFocusBack } from '../../ui/useFocusBack';
import { DecisionForm } from './DecisionForm';
import { type Decided, decide, type Interchange, interchangesChanged } from './queries';

interface Props {
  decision: Decision;
  /** At least one. */
  of: readonly Interchange[];
  onClose: () => void;
}

/** Asks why, and whose it is, before a decision about one or several interchanges is carried out. */
export function DecisionDialog({ decision, of, onClose }: Props) {
  useFocusBack();
  const [outcomes, setOutcomes] = useState<readonly Outcome[] | null>(null);
  const { verb } = DECISIONS[decision];
  const isRunning = outcomes !== null && outcomes.length < of.length;
  const decideAll = async (decided: Decided) => {
    const found: Outcome[] = [];
    setOutcomes([]);
    for (const each of of) {
      found.push(await outcomeOf(each, decided));
      setOutcomes([...found]);
    }
    const refused = found.filter(({ isRefused }) => isRefused).length;
    announce(`${found.length - refused} of ${found.length} ${DECISIONS[decision].done}.`);
    await interchangesChanged();
  };
  const [only] = of;
  const which = of.length === 1 ? `interchange ${only?.id}` : counted(of.length, 'interchange');
  return (
    <Modal opened onClose={isRunning ? () => undefined : onClose} title={`${verb} ${which}`}>
      {outcomes === null ? (
        <DecisionForm
          decision={decision}
          of={of}
          onClose={onClose}
          onMany={(decided) => void decideAll(decided)}
        />
      ) : (
        <Outcomes
          outcomes={outcomes}
          name={({ id }) => `Interchange ${id}`}
          total={of.length}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

async function outcomeOf({ id }: Interchange, decided: Decided): Promise<Outcome> {
  try {
    await decide(id, decided);
    return { id, became: DECISIONS[decided.decision].done, isRefused: false };
  } catch (error) {
    return { id, became: error instanceof Error ? error.message : 'It failed.', isRefused: true };
  }
}
