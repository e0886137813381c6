import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session';
import { errorsInWords, outcomeInWords } from '../../core/ackWords';
import { ACK_STATUSES } from '../../core/statusWords';
import { actorWords, happenedTone, happenedWords } from '../../core/timeline';
import { AttemptOutcome } from '../../ui/AttemptOutcome';
import { type Column, DataTable } from '../../ui/DataTable';
import { Fact, Facts } from '../../ui/Facts';
import { Panel } from '../../ui/Panel';
import { EmptyState, QueryState } from '../../ui/States';
import { StatusBadge } from '../../ui/StatusBadge';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { ClaimList } from '../acks/ClaimList';
import { useActorNames } from '../audit/queries';
import classes from './Detail.module.css';
import {
  type Ack,
  acksQuery,
  type DeliveryItem,
  deliveriesQuery,
  type TimelineItem,
  timelineQuery,
} from './detail';
import { NoteList } from './NoteList';
import { ackErrorNotes } from './NoteWords';
import type { Transaction } from './queries';

interface Props {
  record: Transaction;
}

const DELIVERIES: Column<DeliveryItem>[] = [
  { key: 'attempt', title: 'Attempt', cell: ({ attempt }) => attempt },
  { key: 'started', title: 'Started', cell: ({ started_at }) => <Time value={started_at} /> },
  {
    key: 'finished',
    title: 'Finished',
    cell: ({ finished_at }) => <Time value={finished_at} none="runs" />,
  },
  {
    key: 'outcome',
    title: 'Outcome',
    lead: true,
    cell: ({ outcome }) => <AttemptOutcome outcome={outcome} />,
  },
  {
    key: 'status',
    title: 'HTTP status',
    numeric: true,
    cell: ({ http_status }) => http_status ?? '–',
  },
  {
    key: 'error',
    title: 'Error',
    cell: ({ error }) =>
      error === null ? '–' : <VisibleText text={error.message || error.code} />,
  },
  {
    key: 'next',
    title: 'Next attempt',
    cell: ({ next_attempt_at }) => <Time value={next_attempt_at} none="–" />,
  },
  { key: 'message', title: 'Message id', cell: ({ message_id }) => <code>{message_id}</code> },
];

export function DeliveriesTab({ record }: Props) {
  const deliveries = useQuery(deliveriesQuery(record));
  return (
    <Panel title="Deliveries" flush>
      <QueryState query={deliveries} what="The deliveries could not be loaded.">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState>
              {record.direction === 'inbound'
                ? 'It was received, so there is no delivery.'
                : 'There was no delivery attempt yet.'}
            </EmptyState>
          ) : (
            <DataTable
              label="Attempts to deliver"
              columns={DELIVERIES}
              rows={rows}
              rowKey={({ id }) => id}
            />
          )
        }
      </QueryState>
    </Panel>
  );
}

const eventColumns = (names: ReadonlyMap<string, string>): Column<TimelineItem>[] => [
  { key: 'at', title: 'When', cell: ({ at }) => <Time value={at} /> },
  {
    key: 'what',
    title: 'What',
    lead: true,
    cell: (item) => <StatusBadge tone={happenedTone(item)}>{happenedWords(item)}</StatusBadge>,
  },
  {
    key: 'actor',
    title: 'By',
    cell: ({ actor }) => (actor !== '' ? <VisibleText text={actorWords(actor, names)} /> : '–'),
  },
  {
    key: 'message',
    title: 'Message',
    cell: ({ message }) => (message === '' ? '–' : <VisibleText text={message} />),
  },
];

/** All that happened. Who is behind a number only owners may see, as for the audit log. */
export function EventsTab({ record }: Props) {
  const { user } = useSession();
  if (user.role === 'owner') return <NamedEvents record={record} />;
  return <Events record={record} names={new Map([[`user ${user.id}`, user.email]])} />;
}

function NamedEvents({ record }: Props) {
  return <Events record={record} names={useActorNames()} />;
}

function Events({ record, names }: Props & { names: ReadonlyMap<string, string> }) {
  const timeline = useQuery(timelineQuery(record));
  return (
    <Panel title="Events" flush>
      <QueryState query={timeline} what="The events could not be loaded.">
        {(rows) => (
          <DataTable
            label="What happened"
            columns={eventColumns(names)}
            rows={rows.map((row, index) => ({ ...row, index }))}
            rowKey={(row) => `${row.at} ${row.kind} ${row.event_id} ${row.attempt} ${row.ack_id}`}
          />
        )}
      </QueryState>
    </Panel>
  );
}

export function AcksTab({ record }: Props) {
  const acks = useQuery(acksQuery(record));
  return (
    <QueryState query={acks} what="The acknowledgements could not be loaded.">
      {(found) =>
        found.length === 0 ? (
          <Panel title="Acknowledgements">
            <EmptyState>
              {record.ack_status === 'not_expected'
                ? 'No acknowledgement is expected.'
                : 'There is no acknowledgement yet.'}
            </EmptyState>
          </Panel>
        ) : (
          found.map((ack) => <AckPanel key={ack.id} ack={ack} record={record} />)
        )
      }
    </QueryState>
  );
}

function AckPanel({ ack, record }: { ack: Ack; record: Transaction }) {
  const isTheirs = ack.direction === 'inbound';
  const words = ACK_STATUSES[outcomeOf(ack)];
  const ackErrors = ackErrorNotes([ack], record.doc_id);
  return (
    <Panel title={`${ack.ack_type} ${isTheirs ? 'from the partner' : 'sent by us'}`}>
      <Facts>
        <Fact name="Outcome">
          <StatusBadge tone={words.tone}>{words.word}</StatusBadge>
        </Fact>
        <Fact name="Code">{outcomeInWords(ack) || '–'}</Fact>
        <Fact name="Errors of the set">{errorsInWords(ack).join('; ') || '–'}</Fact>
        {ack.result === null && isTheirs && (
          <Fact name="Due">
            <Time value={ack.expected_by} />
          </Fact>
        )}
        <Fact name={isTheirs ? 'Received' : 'Sent'}>
          <Time value={isTheirs ? ack.received_at : ack.sent_at} none="not yet" />
        </Fact>
        <Fact name="Interchange">{ack.isa_control_number || '–'}</Fact>
        {ack.doc_id !== null && (
          <Fact name="Document">
            <TextLink to="/app/vault/$docId" params={{ docId: String(ack.doc_id) }}>
              document {ack.doc_id}
            </TextLink>
          </Fact>
        )}
      </Facts>
      {ack.claim_counts !== null && (
        <div className={classes.more}>
          <ClaimList ack={ack} />
        </div>
      )}
      {ackErrors.length > 0 && (
        <div className={classes.more}>
          <NoteList notes={ackErrors} />
        </div>
      )}
    </Panel>
  );
}

function outcomeOf({ result, overdue }: Ack) {
  return result ?? (overdue ? 'overdue' : 'pending');
}
