import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Action, possibilities } from '../../core/transactionActions';
import { Panel } from '../../ui/Panel';
import { LinkButton } from '../../ui/TextLink';
import { ActionDialog } from './ActionDialog';
import type { TransactionAction } from './actions';
import classes from './Detail.module.css';
import type { Transaction } from './queries';
import { useSuccessor } from './Successor';

const RULES: Record<Action, { button: string; about: string }> = {
  correct: {
    button: 'Correct and resend',
    about: 'Edit the document, validate it, and submit it as a new transaction.',
  },
  retry: {
    button: 'Retry…',
    about: 'Sends the same bytes with the same control numbers again.',
  },
  reissue: {
    button: 'Reissue…',
    about: 'Sends the same content with new control numbers as a new transaction.',
  },
  cancel: { button: 'Cancel…', about: 'Stops it before it is delivered. This cannot be undone.' },
};
const RETRY_NOW = {
  button: 'Retry now…',
  about: 'Makes the next attempt at once, with all that it waits behind.',
};
const DIALOGS = ['retry', 'reissue', 'cancel'] as const satisfies readonly TransactionAction[];

/** What can be done with a transaction, and of the rest why it cannot. */
export function TransactionActions({ record }: { record: Transaction }) {
  const [asked, setAsked] = useState<TransactionAction | null>(null);
  const possible = possibilities(record);
  const { successor } = useSuccessor(record);
  return (
    <Panel title="Actions">
      <dl className={classes.actions}>
        <dt>
          {possible.correct.why === '' ? (
            <CorrectLink record={record} isPrimary={successor === null} />
          ) : (
            <Button variant="default" disabled fullWidth>
              {RULES.correct.button}
            </Button>
          )}
        </dt>
        <dd>{possible.correct.why || RULES.correct.about}</dd>
        {DIALOGS.map((action) => (
          <ActionRow
            key={action}
            action={action}
            why={possible[action].why}
            isPending={record.delivery_status === 'pending'}
            onAsk={() => setAsked(action)}
          />
        ))}
      </dl>
      {asked !== null && (
        <ActionDialog
          action={asked}
          record={record}
          needsReason={possible[asked].needsReason}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}

interface CorrectLinkProps {
  record: Transaction;
  /** It is what is usually done next. */
  isPrimary?: boolean;
}

/** The way to the page where the document is corrected. */
export function CorrectLink({ record, isPrimary = true }: CorrectLinkProps) {
  return (
    <LinkButton
      to="/app/transactions/$transactionId/correct"
      params={{ transactionId: String(record.id) }}
      variant={isPrimary ? 'filled' : 'default'}
      fullWidth
    >
      {RULES.correct.button}
    </LinkButton>
  );
}

/** Sends what was not delivered once more, after a question. */
export function RetryButton({ record }: { record: Transaction }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        {record.delivery_status === 'pending' ? RETRY_NOW.button : RULES.retry.button}
      </Button>
      {isAsked && (
        <ActionDialog
          action="retry"
          record={record}
          needsReason={false}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

interface RowProps {
  action: TransactionAction;
  why: string;
  /** It waits for its next attempt. */
  isPending: boolean;
  onAsk: () => void;
}

function ActionRow({ action, why, isPending, onAsk }: RowProps) {
  const { button, about } = action === 'retry' && isPending ? RETRY_NOW : RULES[action];
  return (
    <>
      <dt>
        <Button variant="default" fullWidth disabled={why !== ''} onClick={onAsk}>
          {button}
        </Button>
      </dt>
      <dd>{why || about}</dd>
    </>
  );
}
