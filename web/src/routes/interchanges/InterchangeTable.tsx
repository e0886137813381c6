import { Checkbox } from '@mantine/core';
import { reasonInWords } from '../../core/interchangeWords';
import { sizeInWords } from '../../core/textFile';
import { type Column, DataTable } from '../../ui/DataTable';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { DirectionLabel } from '../transactions/TransactionTable';
import classes from './Interchanges.module.css';
import type { Interchange } from './queries';
import { InterchangeBadge, InterchangePartner, partyOf } from './words';

interface Props {
  interchanges: readonly Interchange[];
  /** Null: nothing can be selected. */
  selected: ReadonlySet<number> | null;
  onSelect: (id: number) => void;
}

const COLUMNS: Column<Interchange>[] = [
  {
    key: 'id',
    title: 'Interchange',
    lead: true,
    cell: ({ id }) => (
      <TextLink to="/app/interchanges/$interchangeId" params={{ interchangeId: String(id) }}>
        {id}
      </TextLink>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    lead: true,
    cell: ({ status, reason }) => (
      <>
        <InterchangeBadge status={status} />
        {reason !== null && <p className={classes.reason}>{reasonInWords(reason)?.what}</p>}
      </>
    ),
  },
  { key: 'created', title: 'Time', cell: ({ created_at }) => <Time value={created_at} /> },
  {
    key: 'direction',
    title: 'Direction',
    cell: ({ direction }) => <DirectionLabel direction={direction} />,
  },
  {
    key: 'partner',
    title: 'Partner',
    long: 'wraps',
    cell: ({ partner_id }) => <InterchangePartner id={partner_id} />,
  },
  {
    key: 'parties',
    title: 'From, to',
    cell: (row) => <Parties of={row} />,
  },
  {
    key: 'number',
    title: 'ISA13',
    cell: ({ isa_control_number: number }) => (number === '' ? '–' : <VisibleText text={number} />),
  },
  {
    key: 'records',
    title: 'Transactions',
    numeric: true,
    cell: ({ transaction_ids }) => transaction_ids.length,
  },
  { key: 'size', title: 'Size', numeric: true, cell: ({ file_size }) => sizeInWords(file_size) },
];

/** Whom it is from and to; one word where nothing of that could be read. */
function Parties({ of }: { of: Interchange }) {
  if (of.sender_id === '' && of.receiver_id === '') return partyOf('', '');
  return (
    <span className={classes.parties}>
      <VisibleText text={partyOf(of.sender_qualifier, of.sender_id)} /> to{' '}
      <VisibleText text={partyOf(of.receiver_qualifier, of.receiver_id)} />
    </span>
  );
}

/** Whether somebody has to decide about it. */
export function isWaiting({ status }: Pick<Interchange, 'status'>): boolean {
  return status === 'quarantined';
}

/** Interchanges as a table; each leads to its page, and those that wait can be selected. */
export function InterchangeTable({ interchanges, selected, onSelect }: Props) {
  const select: Column<Interchange>[] =
    selected === null || !interchanges.some(isWaiting)
      ? []
      : [
          {
            key: 'selected',
            title: 'Select',
            untitled: true,
            lead: true,
            cell: ({ id, status }) =>
              isWaiting({ status }) && (
                <Checkbox
                  aria-label={`Select interchange ${id}`}
                  checked={selected.has(id)}
                  onChange={() => onSelect(id)}
                />
              ),
          },
        ];
  return (
    <DataTable
      label="Interchanges"
      columns={[...select, ...COLUMNS]}
      rows={interchanges}
      rowKey={({ id }) => id}
    />
  );
}
