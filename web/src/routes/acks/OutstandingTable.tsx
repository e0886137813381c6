import { useQuery } from '@tanstack/react-query';
import type { PartnerOutstanding } from '../../core/ackWords';
import { type Column, DataTable } from '../../ui/DataTable';
import { StatusBadge } from '../../ui/StatusBadge';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { partnersDirectory } from '../PartnerFilter';
import { PartnerLink } from './columns';

const COLUMNS: Column<PartnerOutstanding>[] = [
  {
    key: 'partner',
    title: 'Partner',
    lead: true,
    cell: ({ id, name }) => (id === null ? 'unknown' : <PartnerLink id={id} name={name} />),
  },
  {
    key: 'outstanding',
    title: 'Outstanding',
    numeric: true,
    cell: ({ id, count }) =>
      id === null ? (
        count
      ) : (
        <TextLink
          from="/app/acks"
          to="/app/acks"
          search={(now) => ({ ...now, partner_id: String(id) })}
        >
          {count}
        </TextLink>
      ),
  },
  {
    key: 'overdue',
    title: 'Overdue',
    lead: true,
    cell: ({ overdue }) =>
      overdue === 0 ? (
        'none'
      ) : (
        <StatusBadge tone="err" icon="clock">{`${overdue} overdue`}</StatusBadge>
      ),
  },
  { key: 'due', title: 'First due', cell: ({ due }) => <Time value={due} none="–" /> },
  { key: 'contact', title: 'Contact', cell: ({ id }) => <Contact id={id} /> },
];

/** The outstanding acknowledgements of each partner, with the contact to ask. */
export function OutstandingTable({ partners }: { partners: readonly PartnerOutstanding[] }) {
  return (
    <DataTable
      label="Outstanding by partner"
      columns={COLUMNS}
      rows={partners}
      rowKey={({ id }) => id ?? 'unknown'}
    />
  );
}

function Contact({ id }: { id: number | null }) {
  const partners = useQuery(partnersDirectory);
  const address = partners.data?.find((partner) => partner.id === id)?.contact_email ?? '';
  return address === '' ? '–' : <VisibleText text={address} />;
}
