import { actionInWords, actorInWords, detailInWords, placeOf } from '../../core/auditWords';
import { type Column, DataTable } from '../../ui/DataTable';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import classes from './Audit.module.css';
import type { AuditEntry } from './queries';

interface Props {
  entries: readonly AuditEntry[];
  names: ReadonlyMap<string, string>;
}

/** Who did what to which object; each leads to the object where it has a page. */
export function AuditTable({ entries, names }: Props) {
  const columns: Column<AuditEntry>[] = [
    { key: 'at', title: 'When', lead: true, cell: ({ at }) => <Time value={at} /> },
    {
      key: 'actor',
      title: 'By whom',
      cell: ({ actor }) => (
        <span title={actor}>
          <VisibleText text={actorInWords(actor, names)} />
        </span>
      ),
    },
    {
      key: 'action',
      title: 'Action',
      lead: true,
      cell: ({ action }) => <span title={action}>{actionInWords(action)}</span>,
    },
    {
      key: 'object',
      title: 'To what',
      cell: ({ object }) => <ObjectLink object={object} names={names} />,
    },
    {
      key: 'detail',
      title: 'Details',
      cell: ({ action, detail }) =>
        detail === '' ? (
          '–'
        ) : (
          <span className={classes.detail}>
            <VisibleText text={detailInWords(action, detail)} />
          </span>
        ),
    },
    { key: 'ip', title: 'From', cell: ({ ip }) => ip || '–' },
    {
      key: 'request',
      title: 'Request',
      cell: ({ request_id }) => (request_id === '' ? '–' : <code>{request_id}</code>),
    },
    { key: 'id', title: 'Entry', numeric: true, cell: ({ id }) => id },
  ];
  return <DataTable label="Audit log" columns={columns} rows={entries} rowKey={({ id }) => id} />;
}

function ObjectLink({ object, names }: { object: string; names: Props['names'] }) {
  const { kind = '', id = '' } = placeOf(object) ?? {};
  if (kind === 'transaction') {
    return (
      <TextLink to="/app/transactions/$transactionId" params={{ transactionId: id }}>
        {object}
      </TextLink>
    );
  }
  if (kind === 'interchange') {
    return (
      <TextLink to="/app/interchanges/$interchangeId" params={{ interchangeId: id }}>
        {object}
      </TextLink>
    );
  }
  if (kind === 'partner') {
    return (
      <TextLink to="/app/partners/$partnerId" params={{ partnerId: id }}>
        {object}
      </TextLink>
    );
  }
  if (kind === 'document') {
    return (
      <TextLink to="/app/vault/$docId" params={{ docId: id }}>
        {object}
      </TextLink>
    );
  }
  if (kind === 'webhook') {
    return (
      <TextLink to="/app/webhooks/$webhookId" params={{ webhookId: id }}>
        {object}
      </TextLink>
    );
  }
  const called = names.get(object) ?? object;
  return called === '' ? '–' : <VisibleText text={called} />;
}
