import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '../../ui/Icon';
import { notifyDone, notifyFailed } from '../../ui/notify';
import { enableWebhook, testWebhook, type Webhook, webhooksChanged } from './api';
import {
  ChangeWebhookDialog,
  DeleteWebhookDialog,
  DisableWebhookDialog,
  RotateWebhookDialog,
} from './dialogs';
import { ReplayDialog } from './ReplayDialog';

const DIALOGS = {
  change: ChangeWebhookDialog,
  rotate: RotateWebhookDialog,
  replay: ReplayDialog,
  disable: DisableWebhookDialog,
  delete: DeleteWebhookDialog,
} as const;

type Asked = keyof typeof DIALOGS;

/** What can be done with an endpoint, by those who may. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const Dialog = asked === null ? null : DIALOGS[asked];
  const isActive = webhook.status === 'active';
  return (
    <>
      {isActive ? <TestButton webhook={webhook} /> : <EnableButton webhook={webhook} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" aria-label="More actions">
            <Icon name="dots" size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('change')}>Change…</Menu.Item>
          <Menu.Item onClick={() => setAsked('rotate')}>Replace secret…</Menu.Item>
          {isActive && (
            <>
              <Menu.Item onClick={() => setAsked('replay')}>Replay a period…</Menu.Item>
              <Menu.Item onClick={() => setAsked('disable')}>Disable…</Menu.Item>
            </>
          )}
          <Menu.Item
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => setAsked('delete')}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {Dialog !== null && <Dialog of={webhook} onClose={() => setAsked(null)} />}
    </>
  );
}

function TestButton({ webhook }: { webhook: Webhook }) {
  const test = useMutation({
    mutationFn: () => testWebhook(webhook.id),
    onSuccess: () => notifyDone('A test event was queued. Its delivery is shown below.'),
    onError: (error) => notifyFailed('The test event could not be sent.', error),
    onSettled: () => webhooksChanged(),
  });
  return (
    <Button loading={test.isPending} onClick={() => test.mutate()}>
      Send test event
    </Button>
  );
}

function EnableButton({ webhook }: { webhook: Webhook }) {
  const enable = useMutation({
    mutationFn: () => enableWebhook(webhook.id),
    onSuccess: () =>
      notifyDone('The endpoint was enabled. It is called about what happens from now on.'),
    onError: (error) => notifyFailed('The endpoint could not be enabled.', error),
    onSettled: () => webhooksChanged(),
  });
  return (
    <Button loading={enable.isPending} onClick={() => enable.mutate()}>
      Enable
    </Button>
  );
}
