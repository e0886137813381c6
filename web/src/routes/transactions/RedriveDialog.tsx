import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { totalWords } from '../../core/totalWords';
import { counted } from '../../core/treeWords';
import { announce } from '../../ui/LiveRegion';
import { RefusalText } from '../../ui/RefusalText';
import { TextLink } from '../../ui/TextLink';
import { useSubmission } from '../../ui/useSubmission';
import { type Redriven, type Redriving, redrive } from './actions';
import classes from './Transactions.module.css';

interface Props {
  which: Redriving;
  /** Of how many transactions the failed ones are sent. */
  list: { total: number; total_is_exact: boolean };
  onClose: () => void;
  /** Something was sent again, so the list has changed. */
  onDone: () => void;
}

const MOST_AT_ONCE = 1000;
const SKIPPED: Record<string, string> = {
  not_found: 'it does not exist any more',
  invalid_state: 'its delivery has not failed, or sending it again needs a reason of its own',
};

/** Asks before failed deliveries are sent again, and tells what became of them. */
export function RedriveDialog({ which, list, onClose, onDone }: Props) {
  const [found, setFound] = useState<Redriven | null>(null);
  const { busy, refusal, left, run } = useSubmission();
  const send = () =>
    run(async () => {
      const answer = await redrive(which);
      setFound(answer);
      announce(`${counted(answer.queued, 'transaction')} sent again.`);
      onDone();
    });
  const chosen = 'ids' in which ? 'the selected' : list.total === 1 ? 'the' : 'all';
  return (
    <Modal opened onClose={onClose} title="Retry failed deliveries">
      {found !== null ? (
        <Result found={found} onClose={onClose} />
      ) : (
        <Stack gap="lg">
          <Text>
            Of {chosen} {totalWords(list)} {list.total === 1 ? 'transaction' : 'transactions'}
            {'ids' in which ? '' : ' in the list'}, those whose delivery has failed are sent again:
            the same bytes with the same control numbers. All sets of their interchanges go with
            them.
          </Text>
          {list.total > MOST_AT_ONCE && (
            <Text>At most {MOST_AT_ONCE.toLocaleString('en')} go at once, the oldest first.</Text>
          )}
          <RefusalText refusal={refusal} left={left} />
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button data-autofocus loading={busy} disabled={left > 0} onClick={send}>
              Retry failed deliveries
            </Button>
          </div>
        </Stack>
      )}
    </Modal>
  );
}

function Result({ found, onClose }: { found: Redriven; onClose: () => void }) {
  const { queued, skipped } = found;
  return (
    <Stack gap="lg">
      <Text>
        {counted(queued, 'transaction')} {queued === 1 ? 'is' : 'are'} sent again.
        {skipped.length > 0 && ` ${counted(skipped.length, 'transaction')} left as they are:`}
      </Text>
      {skipped.length > 0 && (
        <ul className={classes.list} aria-label="Left as they are">
          {skipped.map(({ id, code }) => (
            <li key={id}>
              <span>
                <TextLink
                  to="/app/transactions/$transactionId"
                  params={{ transactionId: String(id) }}
                >
                  #{id}
                </TextLink>
                : {SKIPPED[code] ?? code}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.buttons}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Stack>
  );
}
