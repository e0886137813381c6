import { CONNECTION_NAMES } from '../../core/partners';
import { type Column, DataTable } from '../../ui/DataTable';
import { ListInWords } from '../../ui/ListInWords';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { ConnectionBadge, PartnerBadge } from './Badges';
import classes from './partners.module.css';
import type { ListedPartner } from './queries';

const COLUMNS: Column<ListedPartner>[] = [
  {
    key: 'name',
    title: 'Name',
    lead: true,
    cell: ({ id, name }) => (
      <TextLink to="/app/partners/$partnerId" params={{ partnerId: String(id) }}>
        <VisibleText text={name} />
      </TextLink>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    lead: true,
    cell: ({ partner_status }) => <PartnerBadge status={partner_status} />,
  },
  {
    key: 'identity',
    title: 'EDI identity',
    cell: ({ edi_identity }) => (edi_identity === '' ? 'none yet' : <code>{edi_identity}</code>),
  },
  {
    key: 'connection',
    title: 'Connection',
    cell: ({ connection_type, connection_status }) => (
      <span className={classes.connection}>
        {CONNECTION_NAMES[connection_type]} <ConnectionBadge status={connection_status} />
      </span>
    ),
  },
  {
    key: 'sets',
    title: 'Sets',
    cell: ({ tx_sets }) =>
      tx_sets.length === 0 ? 'every set' : <ListInWords items={tx_sets} most={6} what="sets" />,
  },
  {
    key: 'activity',
    title: 'Last activity',
    cell: ({ last_activity_at }) => <Time value={last_activity_at} />,
  },
];

/** The partners of the account; connections are those of the environment shown. */
export function PartnerTable({ partners }: { partners: ListedPartner[] }) {
  return (
    <DataTable label="Trading partners" columns={COLUMNS} rows={partners} rowKey={({ id }) => id} />
  );
}
