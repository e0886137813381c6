import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, data } from '../api/client';
import { given } from '../core/given';
import { EntryPager } from '../ui/EntryPager';
import { ExportLink } from '../ui/ExportLink';
import { OwnersOnly } from '../ui/OwnersOnly';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { AuditFilterBar } from './audit/AuditFilterBar';
import { AuditTable } from './audit/AuditTable';
import { type AuditFilters, auditQuery, useActorNames } from './audit/queries';

const route = getRouteApi('/app/audit');

/** Who did what in the account, newest first; for its owners. */
export function AuditPage() {
  return <OwnersOnly title="Audit log">{() => <AuditLog />}</OwnersOnly>;
}

function AuditLog() {
  const { before, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const entries = useQuery(auditQuery(filters, before));
  const names = useActorNames();
  const change = (changed: AuditFilters) =>
    void navigate({ search: (now) => ({ ...now, before: undefined, ...changed }), replace: true });
  const turn = (position: number | undefined) =>
    void navigate({ search: (now) => ({ ...now, before: position }) });
  const query = given(filters);
  return (
    <Page
      title="Audit log"
      intro="All actions in the account, in both environments, newest first. Every change to an entry is detectable."
      actions={
        <ExportLink
          filename="audit.csv"
          load={() => data(api.GET('/api/audit/export', { params: { query }, parseAs: 'stream' }))}
        />
      }
    >
      <AuditFilterBar
        filters={filters}
        names={names}
        onChange={change}
        onClear={() => void navigate({ search: {} })}
      />
      <Panel flush>
        <QueryState query={entries} what="The audit log could not be loaded.">
          {({ entries: found, next_before }) => (
            <>
              {found.length === 0 ? (
                <EmptyState>
                  {next_before === null
                    ? 'No entry matches.'
                    : 'None of the searched entries matches. There are older entries.'}
                </EmptyState>
              ) : (
                <AuditTable entries={found} names={names} />
              )}
              <EntryPager before={before} next={next_before} onTurn={turn} />
            </>
          )}
        </QueryState>
      </Panel>
    </Page>
  );
}
