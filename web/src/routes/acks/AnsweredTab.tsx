import { useQuery } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { type Column, DataTable } from '../../ui/DataTable';
import { ExportLink } from '../../ui/ExportLink';
import { FreshBar } from '../../ui/FreshBar';
import { NoRows } from '../../ui/NoRows';
import { Pager } from '../../ui/Pager';
import { Panel } from '../../ui/Panel';
import { EmptyState, QueryState } from '../../ui/States';
import { Time } from '../../ui/Time';
import { useSteadyRows } from '../../ui/useSteadyRows';
import { AckDetail } from './AckDetail';
import classes from './Acks.module.css';
import { DOCUMENT, detailsColumn, KIND, NUMBERS, PARTNER, RESULT, SENT, SET } from './columns';
import {
  type Ack,
  type AckFilters,
  type Answered,
  answeredParameters,
  answeredQuery,
} from './queries';

interface Props {
  side: Answered;
  filters: AckFilters;
  offset: number | undefined;
  /** Id of the row that is open. */
  opened: number | undefined;
  onOpen: (id: number | undefined) => void;
  onOffset: (offset: number) => void;
}

const RECEIVED: Column<Ack> = {
  key: 'received',
  title: 'Received',
  cell: ({ received_at }) => <Time value={received_at} />,
};
const COLUMNS = {
  received: [DOCUMENT, RESULT, PARTNER, RECEIVED, SET, KIND, NUMBERS],
  sent: [DOCUMENT, RESULT, PARTNER, SENT, SET, KIND, NUMBERS],
} as const;
const NOTHING = {
  received: 'No acknowledgements have been received yet.',
  sent: 'No acknowledgements have been sent yet. Longshore acknowledges received documents automatically.',
} as const;
const LABELS = { received: 'Received acknowledgements', sent: 'Sent acknowledgements' } as const;

/** What partners answered, or what we answered, newest first; each row opens to what it says. */
export function AnsweredTab({ side, filters, offset = 0, opened, onOpen, onOffset }: Props) {
  const acks = useQuery(answeredQuery(side, filters, offset));
  const steady = useSteadyRows({
    latest: acks.data?.acks,
    isPlaceholder: acks.isPlaceholderData,
    view: JSON.stringify([side, filters, offset]),
    keyOf: ({ id }) => id,
    isFree: offset === 0 && opened === undefined,
  });
  const query = answeredParameters(side, filters);
  return (
    <>
      <div className={classes.bar}>
        <FreshBar waiting={steady.waiting} onShow={steady.show} updatedAt={acks.dataUpdatedAt} />
        <ExportLink
          filename={`acknowledgements-${side}.csv`}
          load={() => data(api.GET('/api/acks/export', { params: { query }, parseAs: 'stream' }))}
        />
      </div>
      <Panel flush>
        <QueryState query={acks} what="The acknowledgements could not be loaded.">
          {(found) =>
            steady.rows.length === 0 ? (
              <NoRows offset={offset} total={found.total} onBeginning={() => onOffset(0)}>
                <EmptyState>
                  {Object.values(filters).some((value) => value !== undefined)
                    ? 'No acknowledgement matches.'
                    : NOTHING[side]}
                </EmptyState>
              </NoRows>
            ) : (
              <>
                <DataTable
                  label={LABELS[side]}
                  columns={[...COLUMNS[side], detailsColumn(opened, onOpen)]}
                  rows={steady.rows}
                  rowKey={({ id }) => id}
                  detail={(ack) => (ack.id === opened ? <AckDetail ack={ack} /> : null)}
                />
                <Pager offset={offset} limit={found.limit} page={found} onOffset={onOffset} />
              </>
            )
          }
        </QueryState>
      </Panel>
    </>
  );
}
