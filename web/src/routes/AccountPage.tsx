import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/client';
import { type Session, useSession } from '../api/session';
import { storedBytesInWords, storedRecordsInWords } from '../core/usageWords';
import { type Column, DataTable } from '../ui/DataTable';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { QueryState } from '../ui/States';
import classes from './account/account.module.css';
import { accountQuery } from './account/api';
import { PasswordPanel } from './account/PasswordPanel';
import { RetentionPanel } from './account/RetentionPanel';
import { SessionsPanel } from './account/SessionsPanel';

type Account = Schemas['AccountItem'];
type Identity = Schemas['IdentityItem'];

const ROLES: Record<Session['user']['role'], string> = {
  owner: 'owner: everything',
  editor: 'editor: everything except users, the account and production keys',
  viewer: 'viewer: reads',
};

const IDENTITY_COLUMNS: Column<Identity>[] = [
  { key: 'qualifier', title: 'Qualifier', cell: ({ qualifier }) => <code>{qualifier}</code> },
  { key: 'isa', title: 'ISA id', cell: ({ isa_id }) => <code>{isa_id}</code> },
  { key: 'gs', title: 'GS id', cell: ({ gs_id }) => <code>{gs_id}</code> },
];

/** Who is logged in, for which account, and what can be changed about both. */
export function AccountPage() {
  const account = useQuery(accountQuery);
  return (
    <Page title="Account">
      <div className={classes.two}>
        <div className={classes.stack}>
          <Profile />
          <QueryState query={account} what="The account could not be loaded.">
            {(found) => (
              <>
                <Plan account={found} />
                <RetentionPanel days={found.retention_days} />
              </>
            )}
          </QueryState>
        </div>
        <PasswordPanel />
      </div>
      <SessionsPanel />
      <Identities of={account.data?.identities ?? []} />
    </Page>
  );
}

/** Nothing until there are some: they come with partners. */
function Identities({ of }: { of: Identity[] }) {
  if (of.length === 0) return null;
  return (
    <Panel title="Identities" flush>
      <DataTable
        label="Your identities"
        columns={IDENTITY_COLUMNS}
        rows={of}
        rowKey={({ id }) => id}
      />
    </Panel>
  );
}

function Profile() {
  const { user } = useSession();
  return (
    <Panel title="You">
      <dl className={classes.facts}>
        <dt>E-mail</dt>
        <dd>{user.email}</dd>
        <dt>Role</dt>
        <dd>{ROLES[user.role]}</dd>
      </dl>
    </Panel>
  );
}

function Plan({ account }: { account: Account }) {
  const { environments } = useSession();
  return (
    <Panel title="Plan">
      <dl className={classes.facts}>
        <dt>Account</dt>
        <dd>
          <bdi>{account.name}</bdi>
        </dd>
        <dt>Plan</dt>
        <dd>{account.account_type}</dd>
        <dt>Environments</dt>
        <dd>
          {environments.includes('production')
            ? 'Sandbox and Production'
            : 'Sandbox. The plans developer-pro and enterprise include production; the operator of this server can change the plan.'}
        </dd>
        <dt>Stored documents</dt>
        <dd>{storedBytesInWords(account.stored_bytes, account.max_stored_bytes)}</dd>
        <dt>Records</dt>
        <dd>{storedRecordsInWords(account.stored_records, account.max_stored_records)}</dd>
      </dl>
    </Panel>
  );
}
