import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ROLE_NAMES, ROLES } from '../core/roles';
import { Icon } from '../ui/Icon';
import { OwnersOnly } from '../ui/OwnersOnly';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { QueryState } from '../ui/States';
import { ChangeUserDialog } from './users/ChangeUserDialog';
import { NewUserDialog } from './users/NewUserDialog';
import { type User, usersQuery } from './users/queries';
import { RemoveUserDialog } from './users/RemoveUserDialog';
import classes from './users/Users.module.css';
import { type UserAction, UserTable } from './users/UserTable';

/** Who may log in for the account, and what they may do; for its owners. */
export function UsersPage() {
  return <OwnersOnly title="Users">{() => <Users />}</OwnersOnly>;
}

function Users() {
  const users = useQuery(usersQuery);
  const [asked, setAsked] = useState<'new' | { action: UserAction; of: User } | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const newButton = useRef<HTMLButtonElement>(null);
  const ask = (action: UserAction, of: User, from: HTMLElement | null) => {
    opener.current = from;
    setAsked({ action, of });
  };
  /** The focus goes back to where the dialog was asked for, if that is still there. */
  const close = () => {
    setAsked(null);
    setTimeout(() => {
      const origin = opener.current;
      opener.current = null;
      (origin?.isConnected ? origin : newButton.current)?.focus();
    });
  };
  const about = asked === null || asked === 'new' ? null : asked;
  return (
    <Page
      title="Users"
      intro="Users of this account and their roles."
      actions={
        <Button
          ref={newButton}
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setAsked('new')}
        >
          Add user
        </Button>
      }
    >
      <Panel flush>
        <QueryState query={users} what="The users could not be loaded.">
          {(found) => <UserTable users={found} onAsk={ask} />}
        </QueryState>
      </Panel>
      <Panel title="Roles">
        <dl className={classes.roles}>
          {ROLE_NAMES.map((role) => (
            <RoleWords key={role} role={role} />
          ))}
        </dl>
      </Panel>
      {asked === 'new' && <NewUserDialog onClose={close} />}
      {about?.action === 'change' && <ChangeUserDialog of={about.of} onClose={close} />}
      {about?.action === 'remove' && <RemoveUserDialog of={about.of} onClose={close} />}
    </Page>
  );
}

function RoleWords({ role }: { role: (typeof ROLE_NAMES)[number] }) {
  return (
    <>
      <dt>{ROLES[role].word}</dt>
      <dd>{ROLES[role].about}</dd>
    </>
  );
}
