import { Menu, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import { type KeyEnvironment, mayManage, type Role, shownKey, statusWords } from '../../core/keys';
import { type Column, DataTable } from '../../ui/DataTable';
import { Icon } from '../../ui/Icon';
import { StatusBadge, type Tone } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import type { Key } from './api';
import classes from './keys.module.css';

export type KeyAction = 'rotate' | 'revoke';

interface Props {
  keys: Key[];
  role: Role;
  /** `from` gets the focus back. */
  onAsk: (action: KeyAction, of: Key, from: HTMLElement | null) => void;
}

const TONES: Record<Key['status'], Tone> = {
  active: 'ok',
  grace: 'warn',
  revoked: 'err',
  expired: 'plain',
};

const COLUMNS: Column<Key>[] = [
  {
    key: 'name',
    title: 'Name',
    lead: true,
    cell: ({ name }) => <bdi>{name === '' ? '(none)' : name}</bdi>,
  },
  { key: 'key', title: 'Key', cell: ({ prefix, last4 }) => <code>{shownKey(prefix, last4)}</code> },
  {
    key: 'environment',
    title: 'Environment',
    cell: ({ environment }) => <EnvironmentWord environment={environment} />,
  },
  { key: 'created', title: 'Created', cell: ({ created_at }) => <Time value={created_at} /> },
  { key: 'used', title: 'Last used', cell: (key) => <LastUsed of={key} /> },
  { key: 'expires', title: 'Expires', cell: ({ expires_at }) => <Time value={expires_at} /> },
  {
    key: 'status',
    title: 'Status',
    lead: true,
    cell: ({ status, grace_until }) => (
      <StatusBadge tone={TONES[status]} icon={status === 'grace' ? 'clock' : undefined}>
        {statusWords(status, grace_until, Date.now())}
      </StatusBadge>
    ),
  },
];

/** The keys of the account, and for those who may what can be done with each. */
export function KeyTable({ keys, role, onAsk }: Props) {
  const actions: Column<Key> = {
    key: 'actions',
    title: 'Actions',
    cell: (key) => <RowMenu of={key} role={role} onAsk={onAsk} />,
  };
  const columns = role === 'viewer' ? COLUMNS : [...COLUMNS, actions];
  return <DataTable label="API keys" columns={columns} rows={keys} rowKey={({ id }) => id} />;
}

function EnvironmentWord({ environment }: { environment: KeyEnvironment }) {
  const isLive = environment === 'production';
  return (
    <span className={`${classes.environment} ${isLive ? classes.production : ''}`}>
      <Icon name={isLive ? 'production' : 'play'} size={14} /> {isLive ? 'PRODUCTION' : 'Sandbox'}
    </span>
  );
}

function LastUsed({ of: { last_used_at, last_used_ip } }: { of: Key }) {
  return (
    <>
      <Time value={last_used_at} />
      {last_used_ip !== null && ` · ${last_used_ip}`}
    </>
  );
}

interface MenuProps extends Omit<Props, 'keys'> {
  of: Key;
}

function RowMenu({ of, role, onAsk }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const shown = shownKey(of.prefix, of.last4);
  const called = of.name === '' ? shown : `${of.name} ${shown}`;
  const isUsable = of.status === 'active' || of.status === 'grace';
  if (!isUsable) return null;
  if (!mayManage(role, of.environment)) return 'owners only';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton ref={button} className={classes.row} aria-label={`Actions for ${called}`}>
          <Icon name="dots" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {of.status === 'active' && (
          <Menu.Item
            leftSection={<Icon name="refresh" size={16} />}
            onClick={() => onAsk('rotate', of, button.current)}
          >
            Rotate…
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<Icon name="trash" size={16} />}
          onClick={() => onAsk('revoke', of, button.current)}
        >
          Revoke…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
