import { Menu, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import { useSession } from '../../api/session';
import { ROLES } from '../../core/roles';
import { type Column, DataTable } from '../../ui/DataTable';
import { Icon } from '../../ui/Icon';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import type { User } from './queries';
import classes from './Users.module.css';

export type UserAction = 'change' | 'remove';

interface Props {
  users: readonly User[];
  /** `from` gets the focus back. */
  onAsk: (action: UserAction, of: User, from: HTMLElement | null) => void;
}

/** Who may log in, and what can be done about each. */
export function UserTable({ users, onAsk }: Props) {
  const { user } = useSession();
  const columns: Column<User>[] = [
    {
      key: 'email',
      title: 'E-mail',
      lead: true,
      cell: ({ id, email }) => (
        <>
          <VisibleText text={email} />
          {id === user.id && ' (you)'}
        </>
      ),
    },
    { key: 'role', title: 'Role', lead: true, cell: ({ role }) => ROLES[role].word },
    {
      key: 'status',
      title: 'Status',
      lead: true,
      cell: ({ has_password }) =>
        has_password ? (
          <StatusBadge tone="ok">Can log in</StatusBadge>
        ) : (
          <StatusBadge tone="warn" icon="clock">
            Has no password yet
          </StatusBadge>
        ),
    },
    {
      key: 'login',
      title: 'Last login',
      cell: ({ last_login_at }) => <Time value={last_login_at} />,
    },
    { key: 'created', title: 'Added', cell: ({ created_at }) => <Time value={created_at} /> },
    {
      key: 'actions',
      title: 'Actions',
      lead: true,
      cell: (each) => <RowMenu of={each} onAsk={onAsk} />,
    },
  ];
  return <DataTable label="Users" columns={columns} rows={users} rowKey={({ id }) => id} />;
}

function RowMenu({ of, onAsk }: { of: User; onAsk: Props['onAsk'] }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton ref={button} className={classes.row} aria-label={`Actions for ${of.email}`}>
          <Icon name="dots" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="user" size={16} />}
          onClick={() => onAsk('change', of, button.current)}
        >
          Change…
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="trash" size={16} />}
          onClick={() => onAsk('remove', of, button.current)}
        >
          Remove…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
