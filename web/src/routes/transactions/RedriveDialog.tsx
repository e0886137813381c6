import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { totalWords } from '../../core/totalWords';
import { counted } from '../../core/treeWords';
import { announce } from '../../ui/LiveRegion';
import { OutcomeList } from '../../ui/Outcomes';
import { RefusalText } from '../../ui/RefusalText';
import { useFocusBack } from '../../ui/useFocusBack';
import { useSubmission } from '../../ui/useSubmission';
import { type Redriven, redrive } from './actions';
import type { Transaction } from './queries';
import classes from './Transactions.module.css';
import { DocumentLink, nameOf } from './TransactionTable';

interface Props {
  /** The chosen transactions; none: all that fit the filters. */
  chosen: readonly Transaction[];
  filters: Record<string, string>;
  /** Of how many transactions the failed and the waiting ones are sent. */
  list: { total: number; total_is_exact: boolean };
  onClose: () => void;
  /** Something was sent again, so the list has changed. */
  onDone: () => void;
}

const MAX_AT_ONCE = 1000;
const SKIPPED: Record<string, string> = {
  not_found: 'it no longer exists',
  invalid_state: 'it is neither failed nor waiting, or resending it needs a reason',
};

/** Asks before deliveries are retried, and tells what became of them. */
export function RedriveDialog({ chosen, filters, list, onClose, onDone }: Props) {
  useFocusBack();
  // What was chosen is kept with the answer: then nothing is chosen any more.
  const [done, setDone] = useState<{ found: Redriven; of: readonly Transaction[] } | null>(null);
  const { busy, refusal, left, run } = useSubmission();
  const send = () =>
    run(async () => {
      const found = await redrive(
        chosen.length > 0 ? { ids: chosen.map(({ id }) => id) } : { filters },
      );
      setDone({ found, of: chosen });
      announce(`${counted(found.queued, 'transaction')} queued for resending.`);
      onDone();
    });
  const which = chosen.length > 0 ? 'the selected' : list.total === 1 ? 'the' : 'all';
  return (
    <Modal opened onClose={onClose} title="Retry deliveries">
      {done !== null ? (
        <Result found={done.found} chosen={done.of} onClose={onClose} />
      ) : (
        <Stack gap="lg">
          <Text>
            Of {which} {totalWords(list)} {list.total === 1 ? 'transaction' : 'transactions'}
            {chosen.length > 0 ? '' : ' in the list'}, those with a failed delivery are resent, and
            those that wait for their next attempt are sent now: the same bytes and the same control
            numbers. All sets of their interchanges are resent with them.
          </Text>
          {list.total > MAX_AT_ONCE && (
            <Text>
              At most {MAX_AT_ONCE.toLocaleString('en')} are resent at once, oldest first.
            </Text>
          )}
          <RefusalText refusal={refusal} left={left} />
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button data-autofocus loading={busy} disabled={left > 0} onClick={send}>
              Retry deliveries
            </Button>
          </div>
        </Stack>
      )}
    </Modal>
  );
}

interface ResultProps {
  found: Redriven;
  chosen: readonly Transaction[];
  onClose: () => void;
}

/** What became of each that was chosen; of all that fit, of each that was left as it is. */
function Result({ found: { queued, skipped }, chosen, onClose }: ResultProps) {
  const names = new Map(chosen.map((each) => [each.id, nameOf(each)]));
  const left = new Set(skipped.map(({ id }) => id));
  const again = chosen.filter(({ id }) => !left.has(id));
  const outcomes = [
    ...again.map(({ id }) => ({ id, became: 'sent again', isRefused: false })),
    ...skipped.map(({ id, code }) => ({
      id,
      became: `skipped: ${SKIPPED[code] ?? code}`,
      isRefused: true,
    })),
  ];
  return (
    <Stack gap="lg">
      <Text>
        {counted(queued, 'transaction')} {queued === 1 ? 'is' : 'are'} sent again.
        {skipped.length > 0 && ` ${counted(skipped.length, 'transaction')} skipped.`}
      </Text>
      <OutcomeList
        outcomes={outcomes}
        name={({ id }) => <DocumentLink id={id} name={names.get(id) ?? `#${id}`} />}
      />
      <div className={classes.buttons}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Stack>
  );
}
