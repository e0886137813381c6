import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useSession } from '../api/session';
import type { KeyStatus } from '../core/keys';
import { Icon } from '../ui/Icon';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { type Key, keysQuery } from './keys/api';
import { type KeyAction, KeyTable } from './keys/KeyTable';
import { NewKeyDialog } from './keys/NewKeyDialog';
import { RevokeKeyDialog } from './keys/RevokeKeyDialog';
import { RotateKeyDialog } from './keys/RotateKeyDialog';
import { StatusFilter } from './keys/StatusFilter';

const route = getRouteApi('/app/keys');

const MAY: Record<string, string> = {
  owner: 'Programs call /api/v1 with a key. Each key sees one environment.',
  editor:
    'Programs call /api/v1 with a key. Your role is editor: only owners can manage production keys.',
  viewer:
    'Programs call /api/v1 with a key. Your role is viewer: only owners and editors can create and revoke keys.',
};

interface Asked {
  action: KeyAction;
  of: Key;
}

export function KeysPage() {
  const { status, new: isNew } = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const keys = useQuery(keysQuery(status));
  const [asked, setAsked] = useState<Asked | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const newButton = useRef<HTMLButtonElement>(null);
  const mayMake = user.role !== 'viewer';

  const show = (search: { status?: KeyStatus; new?: true }) =>
    void navigate({ search, replace: true, resetScroll: false, ignoreBlocker: true });
  const filtered = status === undefined ? {} : { status };
  /** The focus goes back to where the dialog was asked for, if that is still there. */
  const close = () => {
    setAsked(null);
    if (isNew) show(filtered);
    setTimeout(() => {
      const origin = opener.current;
      opener.current = null;
      (origin?.isConnected ? origin : newButton.current)?.focus();
    });
  };
  const ask = (action: KeyAction, of: Key, from: HTMLElement | null) => {
    opener.current = from;
    setAsked({ action, of });
  };
  const newKey = mayMake && (
    <Button
      ref={newButton}
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => show({ ...filtered, new: true })}
    >
      New key
    </Button>
  );

  return (
    <Page title="API keys" intro={MAY[user.role]} actions={newKey}>
      <Panel
        title="Keys"
        flush
        actions={
          <StatusFilter
            status={status}
            onStatus={(chosen) => show(chosen === undefined ? {} : { status: chosen })}
          />
        }
      >
        <QueryState query={keys} what="The keys could not be loaded.">
          {(found) =>
            found.length === 0 ? (
              <NoKeys status={status} onAll={() => show({})} />
            ) : (
              <KeyTable keys={found} role={user.role} onAsk={ask} />
            )
          }
        </QueryState>
      </Panel>
      {mayMake && isNew && <NewKeyDialog onClose={close} />}
      {asked?.action === 'rotate' && <RotateKeyDialog of={asked.of} onClose={close} />}
      {asked?.action === 'revoke' && <RevokeKeyDialog of={asked.of} onClose={close} />}
    </Page>
  );
}

function NoKeys({ status, onAll }: { status: KeyStatus | undefined; onAll: () => void }) {
  if (status === undefined) return <EmptyState>There are no keys yet.</EmptyState>;
  return (
    <EmptyState
      action={
        <Button variant="default" onClick={onAll}>
          Show all keys
        </Button>
      }
    >
      No key has the status {status}.
    </EmptyState>
  );
}
