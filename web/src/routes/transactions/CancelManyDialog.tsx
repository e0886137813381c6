import { Button, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../core/treeWords';
import { DangerButton } from '../../ui/DangerButton';
import { announce } from '../../ui/LiveRegion';
import { type Outcome, Outcomes } from '../../ui/Outcomes';
import { useFocusBack } from '../../ui/useFocusBack';
import { cancelOne } from './actions';
import type { Transaction } from './queries';
import classes from './Transactions.module.css';
import { DocumentLink, nameOf } from './TransactionTable';

interface Props {
  of: Transaction[];
  onClose: () => void;
  onDone: () => void;
}

const MAX_REASON_CHARS = 500;

/** Cancels several transactions, one after the other, and tells of each what became of it. */
export function CancelManyDialog({ of, onClose, onDone }: Props) {
  useFocusBack();
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState('');
  const [outcomes, setOutcomes] = useState<readonly Outcome[] | null>(null);
  // One transaction of each interchange, as its sets are cancelled together.
  const calls = [...new Map(of.map((each) => [each.interchange_id ?? -each.id, each])).values()];
  const isDone = outcomes !== null && outcomes.length === calls.length;
  const cancel = async () => {
    if (reason.trim() === '') {
      setFault('Enter a reason; the timeline shows it.');
      return;
    }
    const found: Outcome[] = [];
    setOutcomes([]);
    for (const each of calls) {
      found.push(await cancelOne(each.id, reason.trim()));
      setOutcomes([...found]);
    }
    const done = found.filter(({ isRefused }) => !isRefused).length;
    announce(`${done} of ${calls.length} cancelled.`);
  };
  const names = new Map(calls.map((each) => [each.id, nameOf(each)]));
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
            {counted(of.length, 'transaction')} will not be sent. All sets of their interchanges are
            cancelled with them. This cannot be undone; delivered documents stay delivered.
          </Text>
          <Textarea
            label="Reason"
            value={reason}
            maxLength={MAX_REASON_CHARS}
            data-autofocus
            error={fault}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Do not cancel
            </Button>
            <DangerButton onClick={() => void cancel()}>Cancel transactions</DangerButton>
          </div>
        </Stack>
      ) : (
        <Outcomes
          outcomes={outcomes}
          name={({ id }) => <DocumentLink id={id} name={names.get(id) ?? `#${id}`} />}
          total={calls.length}
          onClose={close}
        />
      )}
    </Modal>
  );
}
