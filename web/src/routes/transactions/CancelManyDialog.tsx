import { Button, Modal, Progress, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../core/treeWords';
import { DangerButton } from '../../ui/DangerButton';
import { announce } from '../../ui/LiveRegion';
import { cancelOne, type Outcome } from './actions';
import { OutcomeList } from './OutcomeList';
import type { Transaction } from './queries';
import classes from './Transactions.module.css';
import { nameOf } from './TransactionTable';

interface Props {
  of: Transaction[];
  onClose: () => void;
  onDone: () => void;
}

const MOST_REASON_CHARS = 500;

/** Cancels several transactions, one after the other, and tells of each what became of it. */
export function CancelManyDialog({ of, onClose, onDone }: Props) {
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState('');
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null);
  // One transaction of each interchange, as its sets are cancelled together.
  const calls = [...new Map(of.map((each) => [each.interchange_id ?? -each.id, each])).values()];
  const isDone = outcomes !== null && outcomes.length === calls.length;
  const cancel = async () => {
    if (reason.trim() === '') {
      setFault('Say why; the timeline shows it.');
      return;
    }
    const found: Outcome[] = [];
    setOutcomes([]);
    for (const each of calls) {
      found.push(await cancelOne(each, reason.trim()));
      setOutcomes([...found]);
    }
    const done = found.filter(({ why }) => why === '').length;
    announce(`${done} of ${calls.length} cancelled.`);
  };
  const close = isDone ? onDone : onClose;
  return (
    <Modal
      opened
      onClose={outcomes === null || isDone ? close : () => undefined}
      title="Cancel transactions"
    >
      {outcomes === null ? (
        <Stack gap="lg">
          <Text>
            {counted(of.length, 'transaction')} will not be sent any more. All sets of their
            interchanges are cancelled with them. There is no way back; what was delivered stays
            delivered.
          </Text>
          <Textarea
            label="Reason"
            value={reason}
            maxLength={MOST_REASON_CHARS}
            data-autofocus
            error={fault}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Keep them
            </Button>
            <DangerButton onClick={() => void cancel()}>Cancel transactions</DangerButton>
          </div>
        </Stack>
      ) : (
        <Outcomes outcomes={outcomes} total={calls.length} onClose={close} />
      )}
    </Modal>
  );
}

interface OutcomesProps {
  outcomes: Outcome[];
  total: number;
  onClose: () => void;
}

function Outcomes({ outcomes, total, onClose }: OutcomesProps) {
  const isDone = outcomes.length === total;
  return (
    <Stack gap="lg">
      <Text>
        {outcomes.length} of {total} done
      </Text>
      {!isDone && <Progress value={(100 * outcomes.length) / total} aria-label="Done" />}
      <OutcomeList
        outcomes={outcomes.map(({ transaction, why }) => ({
          id: transaction.id,
          name: nameOf(transaction),
          became: why || 'cancelled',
        }))}
      />
      <div className={classes.buttons}>
        <Button disabled={!isDone} onClick={onClose}>
          Close
        </Button>
      </div>
    </Stack>
  );
}
