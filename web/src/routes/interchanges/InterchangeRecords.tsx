import { type Column, DataTable } from '../../ui/DataTable';
import { Panel } from '../../ui/Panel';
import { EmptyState } from '../../ui/States';
import { TextLink } from '../../ui/TextLink';
import { TransactionStatus } from '../../ui/TransactionStatus';
import { VisibleText } from '../../ui/VisibleText';
import classes from './Interchanges.module.css';
import type { Transaction } from './queries';

const COLUMNS: Column<Transaction>[] = [
  {
    key: 'id',
    title: 'Transaction',
    lead: true,
    cell: ({ id }) => (
      <TextLink to="/app/transactions/$transactionId" params={{ transactionId: String(id) }}>
        {id}
      </TextLink>
    ),
  },
  {
    key: 'tx_set',
    title: 'Set',
    cell: ({ tx_set, tx_set_name }) => `${tx_set} ${tx_set_name}`.trim() || '–',
  },
  {
    key: 'business_key',
    title: 'Document',
    cell: ({ business_key: key }) => (key === '' ? '–' : <VisibleText text={key} />),
  },
  {
    key: 'status',
    title: 'Status',
    lead: true,
    cell: (record) => <TransactionStatus of={record} />,
  },
  { key: 'error', title: 'Problem', cell: ({ last_error }) => last_error?.message ?? '–' },
];

interface Props {
  /** How many there are; of many only the first are shown. */
  total: number;
  records: readonly Transaction[];
  /** Somebody may correct what waits, or was found invalid. */
  mayCorrect: boolean;
}

/** The transactions that stand in an interchange. */
export function InterchangeRecords({ total, records, mayCorrect }: Props) {
  const correct: Column<Transaction> = {
    key: 'correct',
    title: 'Fix',
    cell: ({ id, status }) =>
      (status === 'quarantined' || status === 'invalid') && (
        <TextLink
          to="/app/transactions/$transactionId/correct"
          params={{ transactionId: String(id) }}
        >
          Correct and resend
        </TextLink>
      ),
  };
  return (
    <Panel title="Transactions" flush>
      {total === 0 ? (
        <EmptyState>It contains no transactions, for example only a TA1.</EmptyState>
      ) : (
        <DataTable
          label="Transactions of the interchange"
          columns={mayCorrect ? [...COLUMNS, correct] : COLUMNS}
          rows={records}
          rowKey={({ id }) => id}
        />
      )}
      {total > records.length && records.length > 0 && (
        <p className={classes.note}>
          Shown are the first {records.length} of {total.toLocaleString('en')}.
        </p>
      )}
    </Panel>
  );
}
