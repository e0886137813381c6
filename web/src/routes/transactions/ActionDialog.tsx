import { Button, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { DangerButton } from '../../ui/DangerButton';
import { notifyDone } from '../../ui/notify';
import { RefusalText } from '../../ui/RefusalText';
import { useFocusBack } from '../../ui/useFocusBack';
import { useSubmission } from '../../ui/useSubmission';
import { act, type TransactionAction } from './actions';
import { type Transaction, transactionsChanged } from './queries';
import { SentAlready } from './Successor';
import classes from './Transactions.module.css';

interface Props {
  action: TransactionAction;
  record: Transaction;
  needsReason: boolean;
  onClose: () => void;
}

const MAX_REASON_CHARS = 500;

interface Words {
  title: string;
  button: string;
  about: (record: Transaction) => string;
  done: string;
}

const WORDS: Record<TransactionAction, Words> = {
  retry: {
    title: 'Retry',
    button: 'Resend',
    about: (record) =>
      `Interchange ${record.isa_control_number} is sent to ${record.partner_name} again with all its sets: the same bytes and the same control numbers.`,
    done: 'It is queued for resending.',
  },
  reissue: {
    title: 'Reissue',
    button: 'Reissue',
    about: (record) =>
      `The set ${record.tx_set} is sent to ${record.partner_name} again in a new interchange with new control numbers. This creates a new transaction.`,
    done: 'It was reissued with new control numbers. This is the new transaction.',
  },
  cancel: {
    title: 'Cancel',
    button: 'Cancel transaction',
    about: (record) =>
      `It is not sent to ${record.partner_name}. All sets of its interchange are cancelled with it. This cannot be undone.`,
    done: 'It was cancelled.',
  },
};

const RETRY_NOW: Words = {
  title: 'Retry now',
  button: 'Retry now',
  about: (record) =>
    `The next attempt to send interchange ${record.isa_control_number} to ${record.partner_name} is made at once. What it waits behind is sent first.`,
  done: 'The next attempt is made now.',
};

/** Asks before something is sent again or not sent at all, and for the reason. */
export function ActionDialog({ action, record, needsReason, onClose }: Props) {
  useFocusBack();
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { busy, refusal, left, run } = useSubmission();
  const isPending = action === 'retry' && record.delivery_status === 'pending';
  const words = isPending ? RETRY_NOW : WORDS[action];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (needsReason && reason.trim() === '') {
      setFault('Enter a reason; the timeline shows it.');
      return;
    }
    void run(async () => {
      const found = await act(action, record.id, reason.trim());
      await transactionsChanged(queries);
      notifyDone(words.done);
      onClose();
      if (found.id === record.id) return;
      await navigate({
        to: '/app/transactions/$transactionId',
        params: { transactionId: String(found.id) },
      });
    });
  };
  const Confirm = action === 'cancel' ? DangerButton : Button;
  return (
    <Modal opened onClose={onClose} title={words.title}>
      <form aria-label={words.title} onSubmit={submit}>
        <Stack gap="lg">
          <Text>{words.about(record)}</Text>
          {action === 'reissue' && <SentAlready record={record} />}
          <Textarea
            label={needsReason ? 'Reason' : 'Reason (optional)'}
            value={reason}
            maxLength={MAX_REASON_CHARS}
            data-autofocus
            error={fault}
            onChange={(event) => setReason(event.currentTarget.value.replace(/[\r\n]/g, ' '))}
          />
          <RefusalText refusal={refusal} left={left} />
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Confirm type="submit" loading={busy} disabled={left > 0}>
              {words.button}
            </Confirm>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
