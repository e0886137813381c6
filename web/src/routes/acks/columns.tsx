import { Button } from '@mantine/core';
import { ACK_STATUSES } from '../../core/statusWords';
import { counted } from '../../core/treeWords';
import type { Column } from '../../ui/DataTable';
import { Icon } from '../../ui/Icon';
import { StatusBadge, type Tone } from '../../ui/StatusBadge';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { DocumentLink, nameOf } from '../transactions/TransactionTable';
import type { Ack } from './queries';

export const PARTNER: Column<Ack> = {
  key: 'partner',
  title: 'Partner',
  lead: true,
  long: 'wraps',
  cell: ({ partner_id, partner_name }) =>
    partner_id === null ? 'unknown' : <PartnerLink id={partner_id} name={partner_name} />,
};

export const SET: Column<Ack> = {
  key: 'tx_set',
  title: 'Set',
  cell: ({ tx_set }) => tx_set || '–',
};

/** What it is about: its business key, as a partner knows it, else its number. */
export const DOCUMENT: Column<Ack> = {
  key: 'document',
  title: 'Document',
  lead: true,
  long: 'wraps',
  cell: ({ transaction_id: id, business_key }) =>
    id === null ? (
      '–'
    ) : (
      <span title={`Transaction #${id}`}>
        <DocumentLink id={id} name={nameOf({ id, business_key })} />
      </span>
    ),
};

export const KIND: Column<Ack> = { key: 'kind', title: 'Kind', cell: ({ ack_type }) => ack_type };

/** GS06 and ST02 of what is answered, by which a partner finds it. */
export const NUMBERS: Column<Ack> = {
  key: 'numbers',
  title: 'Group and set number',
  cell: ({ acked_gs_control_number: group, acked_st_control_number: set }) =>
    [group, set].filter((number) => number !== '').join(' / ') || '–',
};

export const RESULT: Column<Ack> = {
  key: 'result',
  title: 'Result',
  lead: true,
  cell: ({ result }) => {
    if (result === null) return 'none';
    const { tone, word } = ACK_STATUSES[result];
    return <StatusBadge tone={tone}>{word}</StatusBadge>;
  },
};

const SENT_WORDS: Readonly<Record<string, readonly [Tone, string]>> = {
  queued: ['plain', 'Not sent yet'],
  sent: ['ok', 'Sent'],
  failed: ['err', 'Sending failed'],
};

export const SENT: Column<Ack> = {
  key: 'status',
  title: 'Sent',
  cell: ({ status, sent_at }) => {
    const [tone, word] = SENT_WORDS[status] ?? ['plain', status];
    if (sent_at !== null) return <Time value={sent_at} />;
    return <StatusBadge tone={tone}>{word}</StatusBadge>;
  },
};

export function PartnerLink({ id, name }: { id: number; name: string }) {
  return (
    <TextLink to="/app/partners/$partnerId" params={{ partnerId: String(id) }}>
      <VisibleText text={name === '' ? `partner ${id}` : name} />
    </TextLink>
  );
}

/** What opens a row; `opened`: id of the one that is open. */
export function detailsColumn(
  opened: number | undefined,
  onOpen: (id: number | undefined) => void,
): Column<Ack> {
  return {
    key: 'details',
    title: 'Details',
    cell: ({ id, errors }) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={opened === id}
        leftSection={<Icon name={opened === id ? 'chevronDown' : 'chevronRight'} size={14} />}
        onClick={() => onOpen(opened === id ? undefined : id)}
      >
        {errors.length === 0 ? 'Details' : counted(errors.length, 'error')}
      </Button>
    ),
  };
}
