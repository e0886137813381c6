import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session';
import { periodWords } from '../core/period';
import { ExportLink } from '../ui/ExportLink';
import { FreshBar } from '../ui/FreshBar';
import { NoRows } from '../ui/NoRows';
import { Page } from '../ui/Page';
import { Pager } from '../ui/Pager';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { LinkButton } from '../ui/TextLink';
import { useSteadyRows } from '../ui/useSteadyRows';
import { type BulkAction, BulkBar, BulkDialog } from './transactions/BulkBar';
import {
  exported,
  givenFilters,
  type Transaction,
  type TransactionFilters,
  transactionsChanged,
  transactionsQuery,
} from './transactions/queries';
import { TransactionFilterBar } from './transactions/TransactionFilterBar';
import classes from './transactions/Transactions.module.css';
import { TransactionTable } from './transactions/TransactionTable';
import { ViewsMenu } from './transactions/ViewsMenu';

const route = getRouteApi('/app/transactions');

/** Every document sent and received, the newest first. */
export function TransactionsPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const given = givenFilters(filters);
  const change = (changed: TransactionFilters) =>
    void navigate({
      search: (now) => ({ ...now, offset: undefined, ...changed }),
      replace: true,
    });
  return (
    <Page
      title="Transactions"
      intro="All sent and received documents."
      actions={
        <>
          <ExportLink filename="transactions.csv" load={() => exported(filters)} />
          <ViewsMenu filters={given} />
        </>
      }
    >
      <TransactionFilterBar
        filters={filters}
        onChange={change}
        onClear={() => void navigate({ search: {} })}
      />
      <TransactionList filters={filters} given={given} />
    </Page>
  );
}

interface ListProps {
  filters: TransactionFilters;
  given: Record<string, string>;
}

function TransactionList({ filters, given }: ListProps) {
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const { user } = useSession();
  const list = useQuery(transactionsQuery(filters));
  const { ticked, tick, tickAll } = useTicks(JSON.stringify(given));
  const { rows, waiting, show } = useSteadyRows({
    latest: list.data?.transactions,
    isPlaceholder: list.isPlaceholderData,
    view: JSON.stringify(filters),
    keyOf: ({ id }) => id,
    isFree: filters.offset === undefined && ticked.size === 0,
  });
  const turn = (offset: number) =>
    void navigate({ search: (now) => ({ ...now, offset: offset || undefined }) });
  const done = () => {
    tickAll([]);
    void transactionsChanged(queries);
  };
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const mayAct = user.role !== 'viewer';
  return (
    <Panel flush>
      <QueryState query={list} what="The transactions could not be loaded.">
        {({ offset, limit, ...page }) =>
          rows.length === 0 ? (
            <NoRows offset={offset} total={page.total} onBeginning={() => turn(0)}>
              <NoTransactions isNarrowed={Object.keys(given).length > 0} />
            </NoRows>
          ) : (
            <>
              <div className={classes.bar}>
                <FreshBar waiting={waiting} onShow={show} updatedAt={list.dataUpdatedAt} />
                {mayAct && (
                  <BulkBar
                    count={ticked.size}
                    onTickAll={() => tickAll(rows)}
                    onTickNone={() => tickAll([])}
                    onAsk={setAsked}
                  />
                )}
              </div>
              <TransactionTable
                transactions={rows}
                ticked={mayAct ? ticked : null}
                onTick={tick}
                {...orderOf(filters.sort)}
                onOrder={({ by, down }) =>
                  void navigate({
                    search: (now) => ({
                      ...now,
                      offset: undefined,
                      sort: `${down ? '-' : ''}${by}`,
                    }),
                  })
                }
              />
              <Pager
                offset={offset}
                limit={limit}
                page={page}
                about={periodWords(filters)}
                onOffset={turn}
              />
            </>
          )
        }
      </QueryState>
      {/* Outside the rows, which may be gone when the result is reported. */}
      {asked !== null && list.data !== undefined && (
        <BulkDialog
          asked={asked}
          chosen={[...ticked.values()]}
          filters={given}
          list={list.data}
          onClose={() => setAsked(null)}
          onDone={done}
        />
      )}
    </Panel>
  );
}

const NONE: ReadonlyMap<number, Transaction> = new Map();

/** The ticked rows of a list; with other filters it is another list, in which none is ticked. */
function useTicks(list: string) {
  const [ticks, setTicks] = useState({ list, ticked: NONE });
  const ticked = ticks.list === list ? ticks.ticked : NONE;
  const tick = (row: Transaction) => {
    const next = new Map(ticked);
    if (!next.delete(row.id)) next.set(row.id, row);
    setTicks({ list, ticked: next });
  };
  const tickAll = (rows: readonly Transaction[]) =>
    setTicks({ list, ticked: new Map(rows.map((row) => [row.id, row])) });
  return { ticked, tick, tickAll };
}

/** `-created_at`, the newest first, as a table has it. */
function orderOf(sort = '-created_at') {
  const down = sort.startsWith('-');
  return { order: { by: down ? sort.slice(1) : sort, down } };
}

function NoTransactions({ isNarrowed }: { isNarrowed: boolean }) {
  const navigate = route.useNavigate();
  if (isNarrowed) {
    return (
      <EmptyState
        action={
          <Button variant="default" onClick={() => void navigate({ search: {} })}>
            Show all transactions
          </Button>
        }
      >
        No transaction matches.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        <LinkButton to="/app/partners" variant="default">
          Go to partners
        </LinkButton>
      }
    >
      Nothing has been sent or received yet. Send the first document to a partner: each account has
      a simulator that answers like one.
    </EmptyState>
  );
}
