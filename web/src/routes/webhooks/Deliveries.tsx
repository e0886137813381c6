import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CALL_STATUSES } from '../../core/statusWords';
import { AttemptOutcome } from '../../ui/AttemptOutcome';
import { CodeBlock } from '../../ui/CodeBlock';
import { type Column, DataTable } from '../../ui/DataTable';
import { EntryPager } from '../../ui/EntryPager';
import { notifyDone, notifyFailed } from '../../ui/notify';
import { Panel } from '../../ui/Panel';
import { EmptyState, QueryState } from '../../ui/States';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import {
  type Attempt,
  type Delivery,
  deliveriesQuery,
  deliveryQuery,
  replayDelivery,
  type Webhook,
  webhooksChanged,
} from './api';
import classes from './webhooks.module.css';

interface Props {
  webhook: Webhook;
  mayReplay: boolean;
  before: number | undefined;
  /** Id of the delivery whose attempts are shown. */
  opened: number | undefined;
  onTurn: (before: number | undefined) => void;
  onOpen: (delivery: number | undefined) => void;
}

const COLUMNS: Column<Delivery>[] = [
  { key: 'created', title: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
  { key: 'event', title: 'Event', lead: true, cell: ({ type }) => <code>{type}</code> },
  {
    key: 'status',
    title: 'Status',
    lead: true,
    cell: ({ status }) => (
      <span title={CALL_STATUSES[status].about}>
        <StatusBadge tone={CALL_STATUSES[status].tone}>{CALL_STATUSES[status].word}</StatusBadge>
      </span>
    ),
  },
  { key: 'attempts', title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts.length },
  {
    key: 'http',
    title: 'Last HTTP status',
    numeric: true,
    cell: ({ attempts }) => attempts.at(-1)?.http_status ?? '–',
  },
  {
    key: 'next',
    title: 'Next attempt',
    cell: ({ next_attempt_at }) => <Time value={next_attempt_at} none="–" />,
  },
  { key: 'message', title: 'webhook-id', cell: ({ message_id }) => <code>{message_id}</code> },
];

/** The calls of an endpoint, the newest first; each opens with its attempts. */
export function Deliveries({ webhook, mayReplay, before, opened, onTurn, onOpen }: Props) {
  const deliveries = useQuery(deliveriesQuery(webhook.id, before));
  const opens: Column<Delivery> = {
    key: 'opens',
    title: 'Attempts of the delivery',
    untitled: true,
    cell: ({ id, message_id }) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={id === opened}
        aria-label={`${id === opened ? 'Hide' : 'Show'} attempts of ${message_id}`}
        onClick={() => onOpen(id === opened ? undefined : id)}
      >
        {id === opened ? 'Hide' : 'Show'}
      </Button>
    ),
  };
  return (
    <Panel title="Deliveries" flush>
      <QueryState query={deliveries} what="The deliveries could not be loaded.">
        {({ deliveries: found, next_before }) => (
          <>
            {found.length === 0 ? (
              <EmptyState>
                There are no deliveries{before !== undefined && ' before this one'}. They are kept
                for 30 days after their end.
              </EmptyState>
            ) : (
              <DataTable
                label="Calls"
                columns={[...COLUMNS, opens]}
                rows={found}
                rowKey={({ id }) => id}
                detail={(row) =>
                  row.id === opened ? (
                    <DeliveryDetail webhook={webhook} delivery={row} mayReplay={mayReplay} />
                  ) : null
                }
              />
            )}
            <EntryPager before={before} next={next_before} onTurn={onTurn} />
          </>
        )}
      </QueryState>
    </Panel>
  );
}

interface DetailProps extends Pick<Props, 'webhook' | 'mayReplay'> {
  delivery: Delivery;
}

function DeliveryDetail({ webhook, delivery, mayReplay }: DetailProps) {
  const shown = useQuery(deliveryQuery(webhook.id, delivery));
  return (
    <QueryState query={shown} what="The delivery could not be loaded.">
      {({ attempts }) => (
        <>
          {attempts.length === 0 ? (
            <Text>There was no attempt.</Text>
          ) : (
            <ol className={classes.attempts}>
              {attempts.map((attempt) => (
                <AttemptItem key={attempt.attempt} of={attempt} />
              ))}
            </ol>
          )}
          {mayReplay && <ReplayButton webhook={webhook} delivery={delivery} />}
        </>
      )}
    </QueryState>
  );
}

function AttemptItem({ of }: { of: Attempt }) {
  const { attempt, started_at, outcome, http_status, error, answer } = of;
  return (
    <li className={classes.attempt}>
      <div className={classes.line}>
        Attempt {attempt} <AttemptOutcome outcome={outcome} />
        {http_status !== null && <span>HTTP status {http_status}</span>}
        <Time value={started_at} />
      </div>
      {error !== null && <VisibleText text={error.message || error.code} />}
      {answer !== '' && <CodeBlock label={`Answer to attempt ${attempt}`} text={answer} />}
    </li>
  );
}

function ReplayButton({ webhook, delivery }: Omit<DetailProps, 'mayReplay'>) {
  const replay = useMutation({
    mutationFn: () => replayDelivery(webhook.id, delivery.id),
    onSuccess: () => notifyDone('The event was queued again, under a new webhook-id.'),
    onError: (error) => notifyFailed('The event could not be replayed.', error),
    onSettled: () => webhooksChanged(),
  });
  return (
    <Button
      mt="md"
      size="compact-md"
      variant="default"
      loading={replay.isPending}
      onClick={() => replay.mutate()}
    >
      Replay
    </Button>
  );
}
