import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { ApiError } from '../../api/error';
import { counted } from '../../core/treeWords';
import { notifyDone } from '../../ui/notify';
import { fieldFaults, focusFault, RefusalText } from '../../ui/RefusalText';
import { useFocusBack } from '../../ui/useFocusBack';
import { useSubmission } from '../../ui/useSubmission';
import { replayPeriod, type Webhook, webhooksChanged } from './api';
import classes from './webhooks.module.css';

interface Props {
  of: Webhook;
  onClose: () => void;
}

/** How far the replay of a period is; a request looks at a part of it only. */
interface Progress {
  calls: number;
  /** The event to go on behind. */
  after: number;
}

const BEGINNING: Progress = { calls: 0, after: 0 };
const FIELDS = ['date_from', 'date_to'];

/** Calls an endpoint once more about the events of a period. */
export function ReplayDialog({ of, onClose }: Props) {
  useFocusBack();
  const { busy, refusal, left, run } = useSubmission();
  const [progress, setProgress] = useState(BEGINNING);
  const form = useForm({
    initialValues: { date_from: '', date_to: '' },
    validate: { date_from: (day) => (day === '' ? 'Choose the first day.' : null) },
    // Another period begins anew.
    onValuesChange: () => setProgress(BEGINNING),
  });
  const replay = async (date_from: string, date_to: string) => {
    let { calls, after } = progress;
    for (let next: number | null = after; next !== null; ) {
      after = next;
      const period = { date_from, date_to: date_to || null, after };
      const { deliveries, next_after } = await replayPeriod(of.id, period);
      calls += deliveries;
      next = next_after;
      setProgress({ calls, after: next_after ?? after });
    }
    await webhooksChanged();
    notifyDone(`${counted(calls, 'call')} queued.`);
    onClose();
  };
  const refused = (error: ApiError) => {
    const faults = fieldFaults(error, FIELDS);
    form.setErrors(faults);
    focusFault(form, faults);
    return Object.keys(faults).length > 0;
  };
  const submit = form.onSubmit(
    ({ date_from, date_to }) => run(() => replay(date_from, date_to), refused),
    (faults) => focusFault(form, faults),
  );
  return (
    <Modal opened onClose={onClose} title="Replay a period">
      <form aria-label="Replay a period" onSubmit={submit} noValidate>
        <Stack gap="lg">
          <Text>
            The endpoint is called again about the events of these days that its filters fit. Each
            call has a new webhook-id, and replay is true in its data.
          </Text>
          <div className={classes.period}>
            <TextInput
              label="From"
              type="date"
              description="UTC"
              required
              data-autofocus
              {...form.getInputProps('date_from')}
            />
            <TextInput
              label="To"
              type="date"
              description="Empty: until now"
              {...form.getInputProps('date_to')}
            />
          </div>
          {progress.calls > 0 && (
            <Text role="status">{counted(progress.calls, 'call')} queued so far.</Text>
          )}
          <RefusalText refusal={refusal} left={left} />
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={left > 0}>
              Replay
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
