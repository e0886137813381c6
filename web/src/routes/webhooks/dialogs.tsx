/** The dialogs that make and change an endpoint. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { DEFAULT_OVERLAP, overlapWords } from '../../core/keys';
import { DangerButton } from '../../ui/DangerButton';
import { notifyDone } from '../../ui/notify';
import { OverlapChoice } from '../../ui/OverlapChoice';
import { RefusalText } from '../../ui/RefusalText';
import { type Made, SecretDialog } from '../../ui/SecretDialog';
import { useFocusBack } from '../../ui/useFocusBack';
import { useSubmission } from '../../ui/useSubmission';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  forgetWebhook,
  rotateWebhook,
  type Webhook,
  webhooksChanged,
} from './api';
import { WebhookForm } from './WebhookForm';
import classes from './webhooks.module.css';

const ABOUT_SECRET =
  'The secret is shown only once. Your receiver verifies each call with it, so store it where the receiver reads it.';

interface Props {
  onClose: () => void;
}

/** Makes an endpoint, shows its secret, and goes on to its page. */
export function NewWebhookDialog({ onClose }: Props) {
  useFocusBack();
  const navigate = useNavigate();
  const [id, setId] = useState<number | null>(null);
  const close = () => {
    if (id === null) onClose();
    else {
      const params = { webhookId: String(id) };
      void navigate({ to: '/app/webhooks/$webhookId', params, ignoreBlocker: true });
    }
  };
  return (
    <SecretDialog title="New webhook endpoint" what="secret" about={ABOUT_SECRET} onClose={close}>
      {(onMade) => (
        <WebhookForm
          label="New webhook endpoint"
          button="Create endpoint"
          onCancel={onClose}
          save={async (terms) => {
            const { webhook, secret } = await createWebhook(terms);
            setId(webhook.id);
            onMade({ secret });
            await webhooksChanged();
          }}
        />
      )}
    </SecretDialog>
  );
}

interface DialogProps extends Props {
  of: Webhook;
}

export function ChangeWebhookDialog({ of, onClose }: DialogProps) {
  useFocusBack();
  return (
    <Modal opened onClose={onClose} title="Change the webhook endpoint" size="lg">
      <WebhookForm
        label="Change the webhook endpoint"
        button="Save endpoint"
        of={of}
        onCancel={onClose}
        save={async (terms) => {
          await changeWebhook(of.id, terms);
          await webhooksChanged();
          notifyDone('The endpoint was saved. Calls that wait go to its new URL.');
          onClose();
        }}
      />
    </Modal>
  );
}

export function RotateWebhookDialog({ of, onClose }: DialogProps) {
  useFocusBack();
  return (
    <SecretDialog title="Replace the secret" what="secret" about={ABOUT_SECRET} onClose={onClose}>
      {(onMade) => <RotateForm of={of} onMade={onMade} onCancel={onClose} />}
    </SecretDialog>
  );
}

interface RotateProps {
  of: Webhook;
  onMade: (made: Made) => void;
  onCancel: () => void;
}

function RotateForm({ of, onMade, onCancel }: RotateProps) {
  const [hours, setHours] = useState<number>(DEFAULT_OVERLAP);
  const { busy, refusal, left, run } = useSubmission();
  const rotate = async () => {
    const secret = await rotateWebhook(of.id, hours);
    const note =
      hours === 0
        ? 'The old secret signs no more calls.'
        : `Calls are signed with the old secret as well for ${overlapWords(hours)} more.`;
    onMade({ secret, note });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(rotate);
  };
  return (
    <form aria-label="Replace the secret" onSubmit={submit}>
      <Stack gap="lg">
        <Text>
          Makes a new secret. While both sign, a receiver that knows either of them accepts each
          call.
        </Text>
        <OverlapChoice
          label="The old secret signs as well for"
          none="it signs no more from now on"
          hours={hours}
          onHours={setHours}
        />
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={left > 0}>
            Replace secret
          </Button>
        </div>
      </Stack>
    </form>
  );
}

export function DisableWebhookDialog({ of, onClose }: DialogProps) {
  return (
    <Question
      title="Disable the webhook endpoint"
      button="Disable"
      about="Calls that wait are cancelled, and it is not called until somebody enables it again. What happens meanwhile can be replayed."
      onClose={onClose}
      act={async () => {
        await disableWebhook(of.id);
        await webhooksChanged();
        notifyDone('The endpoint was disabled.');
      }}
    />
  );
}

export function DeleteWebhookDialog({ of, onClose }: DialogProps) {
  const navigate = useNavigate();
  return (
    <Question
      title="Delete the webhook endpoint"
      button="Delete"
      about="Calls that wait are cancelled, and its secret and its deliveries are no longer shown. This cannot be undone."
      onClose={onClose}
      act={async () => {
        await deleteWebhook(of.id);
        await navigate({ to: '/app/webhooks', ignoreBlocker: true });
        await forgetWebhook(of.id);
        notifyDone('The endpoint was deleted.');
      }}
    />
  );
}

interface QuestionProps extends Props {
  title: string;
  button: string;
  about: string;
  act: () => Promise<void>;
}

/** Asks before an endpoint is called no more. */
function Question({ title, button, about, onClose, act }: QuestionProps) {
  useFocusBack();
  const { busy, refusal, left, run } = useSubmission();
  const confirmed = async () => {
    await act();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="lg">
        <Text>{about}</Text>
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <DangerButton loading={busy} disabled={left > 0} onClick={() => void run(confirmed)}>
            {button}
          </DangerButton>
        </div>
      </Stack>
    </Modal>
  );
}
