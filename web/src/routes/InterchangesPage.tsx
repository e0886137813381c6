import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, data } from '../api/client';
import { useSession } from '../api/session';
import { given } from '../core/given';
import { ExportLink } from '../ui/ExportLink';
import { FreshBar } from '../ui/FreshBar';
import { NoRows } from '../ui/NoRows';
import { Page } from '../ui/Page';
import { Pager } from '../ui/Pager';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { useSteadyRows } from '../ui/useSteadyRows';
import { InterchangeFilterBar } from './interchanges/InterchangeFilterBar';
import classes from './interchanges/Interchanges.module.css';
import { InterchangeTable, isWaiting } from './interchanges/InterchangeTable';
import { type InterchangeFilters, interchangesQuery } from './interchanges/queries';
import { SelectionBar } from './interchanges/SelectionBar';

const route = getRouteApi('/app/interchanges');

const NONE: ReadonlySet<number> = new Set();

/** The envelopes that were received and sent, newest first, and those that wait for a decision. */
export function InterchangesPage() {
  const { offset = 0, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const [selected, setSelected] = useState(NONE);
  const interchanges = useQuery(interchangesQuery(filters, offset));
  const latest = interchanges.data?.interchanges;
  // What was decided meanwhile is no longer selected.
  const isSelecting = latest?.some((row) => isWaiting(row) && selected.has(row.id)) ?? false;
  const steady = useSteadyRows({
    latest,
    isPlaceholder: interchanges.isPlaceholderData,
    view: JSON.stringify([filters, offset]),
    keyOf: ({ id }) => id,
    isFree: offset === 0 && !isSelecting,
  });
  const change = (changed: InterchangeFilters) => {
    setSelected(NONE);
    void navigate({
      search: (now) => ({ ...now, offset: undefined, ...changed }),
      replace: true,
    });
  };
  const turn = (chosen: number) => {
    setSelected(NONE);
    void navigate({ search: (now) => ({ ...now, offset: chosen || undefined }) });
  };
  const select = (id: number) =>
    setSelected(
      (now) => new Set(now.has(id) ? [...now].filter((each) => each !== id) : [...now, id]),
    );
  const mayDecide = user.role !== 'viewer';
  const query = given(filters);
  return (
    <Page title="Interchanges" intro="Received and sent envelopes, newest first.">
      <InterchangeFilterBar
        filters={filters}
        onChange={change}
        onClear={() => void navigate({ search: {} })}
      />
      <div className={classes.bar}>
        <FreshBar
          waiting={steady.waiting}
          onShow={steady.show}
          updatedAt={interchanges.dataUpdatedAt}
        />
        <div className={classes.group}>
          {mayDecide && (
            <SelectionBar
              waiting={steady.rows.filter(isWaiting)}
              selected={selected}
              onSelect={(ids) => setSelected(new Set(ids))}
            />
          )}
          <ExportLink
            filename="interchanges.csv"
            load={() =>
              data(api.GET('/api/interchanges/export', { params: { query }, parseAs: 'stream' }))
            }
          />
        </div>
      </div>
      <Panel flush>
        <QueryState query={interchanges} what="The interchanges could not be loaded.">
          {(found) =>
            steady.rows.length === 0 ? (
              <NoRows offset={offset} total={found.total} onBeginning={() => turn(0)}>
                <EmptyState>{nothing(filters)}</EmptyState>
              </NoRows>
            ) : (
              <>
                <InterchangeTable
                  interchanges={steady.rows}
                  selected={mayDecide ? selected : null}
                  onSelect={select}
                />
                <Pager offset={offset} limit={found.limit} page={found} onOffset={turn} />
              </>
            )
          }
        </QueryState>
      </Panel>
    </Page>
  );
}

function nothing(filters: InterchangeFilters): string {
  const { status, ...others } = filters;
  if (Object.values(others).some((value) => value !== undefined)) return 'No interchange matches.';
  if (status === 'quarantined') return 'The quarantine is empty.';
  if (status !== undefined) return 'No interchange matches.';
  return 'Nothing has been received or sent yet. Partners send to their inbound address.';
}
