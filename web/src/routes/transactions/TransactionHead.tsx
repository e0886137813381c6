import { useQuery } from '@tanstack/react-query';
import { moreWords, pairingFindingWords, pairingWords } from '../../core/pairingWords';
import {
  ackWords,
  DELIVERY_STATUSES,
  deliveryWords,
  heldWords,
  VALIDATION_STATUSES,
} from '../../core/statusWords';
import { sizeInWords } from '../../core/textFile';
import { stepsOf } from '../../core/timeline';
import { Fact, Facts } from '../../ui/Facts';
import { Panel } from '../../ui/Panel';
import { StatusBadge } from '../../ui/StatusBadge';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { partnerQuery } from '../partners/queries';
import classes from './Detail.module.css';
import {
  acksQuery,
  laterQuery,
  madeByQuery,
  pairingQuery,
  pendingQuery,
  timelineQuery,
  useFollowing,
} from './detail';
import type { Transaction } from './queries';
import { RecordLink } from './Successor';
import { DirectionLabel } from './TransactionTable';

/** What is known of a transaction at a glance, what happened to it, and what belongs to it. */
export function TransactionHead({ record }: { record: Transaction }) {
  return (
    <Panel title="About this transaction">
      <Facts>
        <Fact name="Direction">
          <DirectionLabel direction={record.direction} />
        </Fact>
        <Fact name="Partner">
          <PartnerLink record={record} />
        </Fact>
        <Numbers record={record} />
        {record.direction === 'outbound' && <DeliveryFact record={record} />}
        <AckFact record={record} />
        <PairingFact record={record} />
        <ValidationFact record={record} />
        <Fact name="Size">{sizeInWords(record.file_size)}</Fact>
        <Fact name="Version">{record.version || '–'}</Fact>
        <Fact name="Number">{record.id}</Fact>
        <Belonging record={record} />
      </Facts>
      {record.last_error !== null && (
        <p>
          <StatusBadge tone="err">{record.last_error.code.replaceAll('_', ' ')}</StatusBadge>{' '}
          <VisibleText text={record.last_error.message} />
        </p>
      )}
      <Steps record={record} />
    </Panel>
  );
}

function PartnerLink({ record: { partner_id, partner_name } }: { record: Transaction }) {
  if (partner_id === null) return 'unknown';
  return (
    <TextLink to="/app/partners/$partnerId" params={{ partnerId: String(partner_id) }}>
      <VisibleText text={partner_name} />
    </TextLink>
  );
}

function Numbers({ record }: { record: Transaction }) {
  const { isa_control_number: isa, gs_control_number: gs, st_control_number: st } = record;
  const numbers = [
    ['ISA', isa],
    ['GS', gs],
    ['ST', st],
  ].filter(([, number]) => number !== '');
  return (
    <Fact name="Control numbers">
      {numbers.length === 0
        ? 'none yet'
        : numbers.map(([name, number]) => `${name} ${number}`).join(' · ')}
    </Fact>
  );
}

const ARRIVED = new Set(['delivered', 'sent', 'not_applicable']);

/** How its delivery stands: while it has not arrived why, and what comes next. */
function DeliveryFact({ record }: { record: Transaction }) {
  const { word, tone } = DELIVERY_STATUSES[record.delivery_status];
  return (
    <Fact name="Delivery">
      <span className={classes.badges}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        {record.delivery_status === 'held' && record.partner_id !== null ? (
          <HeldWords partnerId={record.partner_id} />
        ) : (
          !ARRIVED.has(record.delivery_status) && <span>{deliveryWords(record)}</span>
        )}
        {record.delivery_status === 'pending' && <NextAttempt record={record} />}
      </span>
    </Fact>
  );
}

/** When a record is sent, or the one that it waits behind. */
function NextAttempt({ record }: { record: Transaction }) {
  const pending = useQuery(pendingQuery(record));
  const head = pending.data?.waits_behind ?? null;
  if (head !== null) {
    return (
      <span>
        It waits behind{' '}
        <TextLink
          to="/app/transactions/$transactionId"
          params={{ transactionId: String(head) }}
        >{`transaction ${head}`}</TextLink>
        , which is sent first.
      </span>
    );
  }
  const next = pending.data?.next_attempt_at ?? null;
  if (next === null || record.attempts === 0) return null;
  return (
    <span>
      Next attempt <Time value={next} />
    </span>
  );
}

/** Why the partner takes nothing now, and the way to where that is changed. */
function HeldWords({ partnerId }: { partnerId: number }) {
  const partner = useQuery(partnerQuery(String(partnerId)));
  if (partner.data === undefined) return null;
  return (
    <span>
      <TextLink to="/app/partners/$partnerId" params={{ partnerId: String(partnerId) }}>
        <VisibleText text={partner.data.name} />
      </TextLink>{' '}
      {heldWords(partner.data)}. It is sent automatically once that has changed.
    </span>
  );
}

/** How it was acknowledged, and while it is awaited by when. */
function AckFact({ record }: { record: Transaction }) {
  const acks = useQuery(acksQuery(record));
  const { word, tone, about } = ackWords(record);
  const isAwaited = record.ack_status === 'pending' || record.ack_status === 'overdue';
  const isOutstanding = isAwaited && ARRIVED.has(record.delivery_status);
  const due = acks.data?.find(({ status }) => status === 'pending')?.expected_by ?? null;
  return (
    <Fact name="Acknowledgement">
      <span className={classes.badges} title={about}>
        <StatusBadge tone={tone} icon={record.ack_status === 'pending' ? 'clock' : undefined}>
          {word}
        </StatusBadge>
        {isOutstanding && due !== null && (
          <span>
            due <Time value={due} />
          </span>
        )}
      </span>
    </Fact>
  );
}

const SHOWN_PAIRS = 10;

/** The other side of a request or response, and what the comparison of their numbers found. */
function PairingFact({ record }: { record: Transaction }) {
  const pairing = useQuery(pairingQuery(record)).data ?? null;
  if (pairing === null) return null;
  const { role, due_at, transactions, findings, finding_count } = pairing;
  const isComplete = finding_count === 0;
  return (
    <Fact name={role === 'request' ? 'Responses' : 'Requests'}>
      <span className={classes.badges}>
        <StatusBadge tone={isComplete ? 'plain' : 'warn'}>{pairingWords(pairing)}</StatusBadge>
        {transactions.slice(0, SHOWN_PAIRS).map(({ transaction_id: id }) => (
          <RecordLink key={id} id={id} />
        ))}
        {transactions.length > SHOWN_PAIRS && (
          <span>{moreWords(transactions.length - SHOWN_PAIRS)}</span>
        )}
        {due_at !== null && (
          <span>
            due <Time value={due_at} />
          </span>
        )}
        {findings.slice(0, SHOWN_PAIRS).map((finding) => (
          <span key={`${finding.code} ${finding.segment_position}`}>
            {pairingFindingWords(finding)}
          </span>
        ))}
        {finding_count > SHOWN_PAIRS && <span>{moreWords(finding_count - SHOWN_PAIRS)}</span>}
      </span>
    </Fact>
  );
}

function ValidationFact({ record }: { record: Transaction }) {
  const { word, tone, about } = VALIDATION_STATUSES[record.validation_status];
  return (
    <Fact name="Validation">
      <span className={classes.badges} title={about}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </span>
    </Fact>
  );
}

/** The documents and records that belong to it, each with the way there. */
function Belonging({ record }: { record: Transaction }) {
  const later = useQuery(laterQuery(record));
  const { doc_id, interchange_id, parent_id, duplicate_of } = record;
  return (
    <>
      {interchange_id !== null && (
        <Fact name="Interchange">
          <TextLink
            to="/app/interchanges/$interchangeId"
            params={{ interchangeId: String(interchange_id) }}
          >
            {interchange_id}
          </TextLink>
        </Fact>
      )}
      {doc_id !== null && (
        <>
          <Fact name="Sent document">
            <DocumentLink id={doc_id} />
          </Fact>
          <SourceDocument docId={doc_id} />
        </>
      )}
      {parent_id !== null && (
        <Fact name="Made from">
          <RecordLink id={parent_id} />
        </Fact>
      )}
      {duplicate_of !== null && (
        <Fact name="Duplicate of">
          <RecordLink id={duplicate_of} />
        </Fact>
      )}
      {(later.data ?? []).length > 0 && (
        <Fact name="Resent as">
          {later.data?.map(({ id }) => (
            <span key={id}>
              <RecordLink id={id} />{' '}
            </span>
          ))}
        </Fact>
      )}
    </>
  );
}

function SourceDocument({ docId }: { docId: number }) {
  const made = useQuery(madeByQuery(docId));
  const source = made.data?.sourceId ?? null;
  if (source === null) return null;
  return (
    <Fact name="Source document">
      <DocumentLink id={source} />
    </Fact>
  );
}

function DocumentLink({ id }: { id: number }) {
  return (
    <TextLink to="/app/vault/$docId" params={{ docId: String(id) }}>
      {id}
    </TextLink>
  );
}

/** What happened, oldest first. */
function Steps({ record }: { record: Transaction }) {
  const timeline = useQuery(timelineQuery(record));
  useFollowing(record, timeline.data);
  if (timeline.data === undefined) return null;
  return (
    <ol className={classes.steps} aria-label="Timeline">
      {stepsOf(timeline.data).map(({ at, words, tone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end
        <li key={index}>
          <StatusBadge tone={tone}>{words}</StatusBadge>
          <Time value={at} />
        </li>
      ))}
    </ol>
  );
}
