import { Checkbox } from '@mantine/core';
import { ackWords, VALIDATION_STATUSES } from '../../core/statusWords';
import { type Column, DataTable, type Order } from '../../ui/DataTable';
import { Icon } from '../../ui/Icon';
import { StatusBadge } from '../../ui/StatusBadge';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { TransactionStatus } from '../../ui/TransactionStatus';
import { VisibleText } from '../../ui/VisibleText';
import type { Transaction } from './queries';
import classes from './Transactions.module.css';

interface Props {
  transactions: Transaction[];
  /** null: nothing can be ticked. */
  ticked: ReadonlyMap<number, Transaction> | null;
  onTick: (transaction: Transaction) => void;
  order: Order;
  onOrder: (order: Order) => void;
}

/** How a record is called in a list: its business key, else its number. */
export function nameOf({ business_key, id }: Pick<Transaction, 'business_key' | 'id'>): string {
  return business_key === '' ? `#${id}` : business_key;
}

/** The name of a record, which leads to its page. */
export function DocumentLink({ id, name }: { id: number; name: string }) {
  return (
    <TextLink to="/app/transactions/$transactionId" params={{ transactionId: String(id) }}>
      <VisibleText text={name} />
    </TextLink>
  );
}

// What identifies and how it stands come first: a narrow screen shows no more without scrolling.
const COLUMNS: Column<Transaction>[] = [
  {
    key: 'business_key',
    title: 'Document',
    lead: true,
    long: 'wraps',
    cell: (row) => <DocumentLink id={row.id} name={nameOf(row)} />,
  },
  { key: 'status', title: 'Status', lead: true, cell: (row) => <StatusAndReason row={row} /> },
  {
    key: 'partner',
    title: 'Partner',
    long: 'wraps',
    cell: ({ partner_name }) =>
      partner_name === '' ? 'unknown' : <VisibleText text={partner_name} />,
  },
  {
    key: 'tx_set',
    title: 'Set',
    long: 'shortens',
    cell: ({ tx_set, tx_set_name }) => {
      const set = `${tx_set} ${tx_set_name}`.trim() || '–';
      return <span title={set}>{set}</span>;
    },
  },
  {
    key: 'direction',
    title: 'Direction',
    cell: ({ direction }) => <DirectionLabel direction={direction} />,
  },
  {
    key: 'ack_status',
    title: 'Acknowledgement',
    cell: (row) => {
      const { word, about } = ackWords(row);
      return row.ack_status === 'not_expected' ? '–' : <span title={about}>{word}</span>;
    },
  },
  {
    key: 'created_at',
    title: 'Created',
    sortable: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    key: 'updated_at',
    title: 'Changed',
    sortable: true,
    cell: ({ updated_at }) => <Time value={updated_at} />,
  },
];

const REJECTED: ReadonlySet<string> = new Set(['rejected', 'partially_accepted']);

/** Records of which nothing was read further; their status says so. */
const UNREAD: ReadonlySet<string> = new Set(['duplicate', 'quarantined']);

/** Whether a record was handled although it could not be checked. */
function isUnchecked({ validation_status, processing_status, status }: Transaction): boolean {
  const isWaiting = processing_status === 'received' || processing_status === 'processing';
  return validation_status === 'not_checked' && !isWaiting && !UNREAD.has(status);
}

/** How a record stands, and if it failed why, or where that is said. */
function StatusAndReason({ row }: { row: Transaction }) {
  const { last_error: error, ack_status, validation_status, id } = row;
  const isRefused = REJECTED.has(ack_status) || validation_status === 'invalid';
  return (
    <>
      <TransactionStatus of={row} />
      {isUnchecked(row) && (
        <p className={classes.reason}>
          <StatusBadge tone="open">{VALIDATION_STATUSES.not_checked.word}</StatusBadge>
        </p>
      )}
      {error !== null ? (
        <p className={classes.reason}>
          <VisibleText text={error.message} />
        </p>
      ) : (
        isRefused && (
          <p className={classes.reason}>
            <TextLink
              to="/app/transactions/$transactionId"
              params={{ transactionId: String(id) }}
              search={{ tab: 'findings' }}
              aria-label={`Why ${nameOf(row)} was refused`}
            >
              Why
            </TextLink>
          </p>
        )
      )}
    </>
  );
}

/** Transactions as a table; each leads to its page. */
export function TransactionTable({ transactions, ticked, onTick, order, onOrder }: Props) {
  const tick: Column<Transaction>[] =
    ticked === null
      ? []
      : [
          {
            key: 'ticked',
            title: 'Select',
            untitled: true,
            lead: true,
            cell: (row) => (
              <Checkbox
                aria-label={`Select ${nameOf(row)}`}
                checked={ticked.has(row.id)}
                onChange={() => onTick(row)}
              />
            ),
          },
        ];
  return (
    <DataTable
      label="Transactions"
      columns={[...tick, ...COLUMNS]}
      rows={transactions}
      rowKey={({ id }) => id}
      order={order}
      onOrder={onOrder}
    />
  );
}

/** The direction of a document as a word with an arrow. */
export function DirectionLabel({ direction }: { direction: Transaction['direction'] }) {
  const isOutbound = direction === 'outbound';
  return (
    <span className={classes.direction}>
      <Icon name={isOutbound ? 'arrowUp' : 'arrowDown'} size={14} />{' '}
      {isOutbound ? 'Outbound' : 'Inbound'}
    </span>
  );
}
