import { useQuery } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { outstandingByPartner, outstandingSummary } from '../../core/ackWords';
import { type Column, DataTable } from '../../ui/DataTable';
import { ExportLink } from '../../ui/ExportLink';
import { FreshBar } from '../../ui/FreshBar';
import { BehindEnd } from '../../ui/NoRows';
import { Pager } from '../../ui/Pager';
import { Panel } from '../../ui/Panel';
import { EmptyState, QueryState } from '../../ui/States';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { useSteadyRows } from '../../ui/useSteadyRows';
import classes from './Acks.module.css';
import { DOCUMENT, KIND, NUMBERS, PARTNER, SET } from './columns';
import { OutstandingTable } from './OutstandingTable';
import {
  type Ack,
  type AckFilters,
  MAX_OUTSTANDING,
  type OutstandingPage,
  outstandingParameters,
  outstandingQuery,
} from './queries';

interface Props {
  filters: AckFilters;
  offset: number | undefined;
  onOffset: (offset: number) => void;
}

const A_PAGE = 50;

const COLUMNS: Column<Ack>[] = [
  PARTNER,
  { key: 'due', title: 'Due', cell: ({ expected_by }) => <Time value={expected_by} none="–" /> },
  SET,
  { key: 'sent', title: 'Sent', cell: ({ created_at }) => <Time value={created_at} /> },
  KIND,
  NUMBERS,
];

/** A row keeps its place while it is read, though its answer may have come meanwhile. */
function statusColumn(page: readonly Ack[]): Column<Ack> {
  const ids = new Set(page.map(({ id }) => id));
  return {
    key: 'status',
    title: 'Status',
    lead: true,
    cell: ({ id, overdue }) => {
      if (!ids.has(id)) return <StatusBadge tone="ok">Answered</StatusBadge>;
      return (
        <StatusBadge tone={overdue ? 'err' : 'plain'} icon="clock">
          {overdue ? 'Overdue' : 'Not due yet'}
        </StatusBadge>
      );
    },
  };
}

/** Outstanding acknowledgements: the count of each partner, then each one, the most urgent first. */
export function OutstandingTab({ filters, offset = 0, onOffset }: Props) {
  const page = useQuery(outstandingQuery(filters));
  const steady = useSteadyRows({
    latest: page.data?.rows,
    isPlaceholder: page.isPlaceholderData,
    view: JSON.stringify(filters),
    keyOf: ({ id }) => id,
    isFree: offset === 0,
  });
  const query = outstandingParameters(filters);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <div className={classes.bar}>
        <FreshBar waiting={steady.waiting} onShow={steady.show} updatedAt={page.dataUpdatedAt} />
        <ExportLink
          filename="outstanding-acknowledgements.csv"
          load={() => data(api.GET('/api/acks/export', { params: { query }, parseAs: 'stream' }))}
        />
      </div>
      <QueryState query={page} what="The outstanding acknowledgements could not be loaded.">
        {(found) =>
          found.total === 0 ? (
            <Panel flush>
              <EmptyState>
                {isFiltered
                  ? 'No outstanding acknowledgement matches.'
                  : 'There are no outstanding acknowledgements.'}
              </EmptyState>
            </Panel>
          ) : (
            <>
              <OutstandingPanel page={found} />
              <Panel title="Outstanding acknowledgements, most urgent first" flush>
                {offset > 0 && offset >= steady.rows.length ? (
                  <BehindEnd onBeginning={() => onOffset(0)} />
                ) : (
                  <>
                    <DataTable
                      label="Outstanding acknowledgements"
                      columns={[DOCUMENT, statusColumn(found.rows), ...COLUMNS]}
                      rows={steady.rows.slice(offset, offset + A_PAGE)}
                      rowKey={({ id }) => id}
                    />
                    <Pager
                      offset={offset}
                      limit={A_PAGE}
                      page={pageOf(steady.rows.length, offset)}
                      onOffset={onOffset}
                    />
                  </>
                )}
              </Panel>
            </>
          )
        }
      </QueryState>
    </>
  );
}

function pageOf(total: number, offset: number) {
  const count = Math.max(0, Math.min(A_PAGE, total - offset));
  return { total, count, has_more: offset + count < total };
}

function OutstandingPanel({ page: { rows, total } }: { page: OutstandingPage }) {
  const partners = outstandingByPartner(rows);
  return (
    <Panel title="By partner" flush>
      <p className={classes.note}>
        <strong>{outstandingSummary(partners)}</strong> Remind the partner, or open a transaction
        and resend it. A late acknowledgement is still matched.
      </p>
      {total > rows.length && (
        <p className={classes.note}>
          {total.toLocaleString('en')} are outstanding; this page counts and lists{' '}
          {MAX_OUTSTANDING.toLocaleString('en')} of them. Filter by partner, set or days to see the
          others, or export all.
        </p>
      )}
      <OutstandingTable partners={partners} />
    </Panel>
  );
}
