import { type Column, DataTable } from '../../ui/DataTable';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import type { Webhook } from './api';
import { EventWords, WebhookBadge } from './words';

const COLUMNS: Column<Webhook>[] = [
  {
    key: 'url',
    title: 'URL',
    lead: true,
    long: 'wraps',
    cell: ({ id, url }) => (
      <TextLink to="/app/webhooks/$webhookId" params={{ webhookId: String(id) }}>
        <VisibleText text={url} />
      </TextLink>
    ),
  },
  {
    key: 'description',
    title: 'Description',
    cell: ({ description }) => (description === '' ? '–' : <VisibleText text={description} />),
  },
  {
    key: 'status',
    title: 'Status',
    lead: true,
    cell: (webhook) => <WebhookBadge of={webhook} />,
  },
  { key: 'events', title: 'Events', cell: ({ events }) => <EventWords events={events} most={2} /> },
  {
    key: 'success',
    title: 'Last success',
    cell: ({ last_success_at }) => <Time value={last_success_at} />,
  },
  {
    key: 'failure',
    title: 'Last failure',
    cell: ({ last_failure_at }) => <Time value={last_failure_at} />,
  },
];

/** The endpoints in the environment; each leads to its deliveries. */
export function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  return (
    <DataTable
      label="Webhook endpoints"
      columns={COLUMNS}
      rows={webhooks}
      rowKey={({ id }) => id}
    />
  );
}
