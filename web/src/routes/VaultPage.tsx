import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { NoRows } from '../ui/NoRows';
import { Page } from '../ui/Page';
import { Pager } from '../ui/Pager';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { LoadSamples } from './vault/LoadSamples';
import { type VaultFilters, vaultQuery } from './vault/queries';
import { VaultFilterBar } from './vault/VaultFilterBar';
import { VaultTable } from './vault/VaultTable';

const route = getRouteApi('/app/vault');

/** The stored documents, newest first. */
export function VaultPage() {
  const { offset: start, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const documents = useQuery(vaultQuery({ ...filters, offset: start }));
  const change = (changed: VaultFilters) =>
    void navigate({
      search: (now) => ({ ...now, offset: undefined, ...changed }),
      replace: true,
    });
  const turn = (offset: number) =>
    void navigate({ search: (now) => ({ ...now, offset: offset || undefined }) });
  const clear = () => void navigate({ search: {} });
  return (
    <Page title="Vault" intro="Stored documents, newest first.">
      <VaultFilterBar filters={filters} onChange={change} onClear={clear} />
      <Panel flush>
        <QueryState query={documents} what="The documents could not be loaded.">
          {({ docs, offset, limit, ...page }) =>
            docs.length === 0 ? (
              <NoRows offset={offset} total={page.total} onBeginning={() => turn(0)}>
                <NoDocuments filters={filters} onClear={clear} />
              </NoRows>
            ) : (
              <>
                <VaultTable documents={docs} />
                <Pager offset={offset} limit={limit} page={page} onOffset={turn} />
              </>
            )
          }
        </QueryState>
      </Panel>
    </Page>
  );
}

function NoDocuments({ filters, onClear }: { filters: VaultFilters; onClear: () => void }) {
  const { user } = useSession();
  if (Object.values(filters).some((value) => value !== undefined)) {
    return (
      <EmptyState
        action={
          <Button variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        No stored document matches.
      </EmptyState>
    );
  }
  return (
    <EmptyState action={user.role === 'viewer' ? null : <LoadSamples />}>
      Nothing is stored yet. Conversions store their output if the request sets save_to_vault.
    </EmptyState>
  );
}
