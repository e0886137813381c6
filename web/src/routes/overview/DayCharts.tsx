/** The charts by day, each with the table that says the same. */
import { useNavigate } from '@tanstack/react-router';
import { failureRates, latencyChart, type Volume, volumeChart } from '../../core/overviewCharts';
import { spanLabel } from '../../core/overviewDays';
import { shareWords, spanWords } from '../../core/overviewWords';
import { type Column, DataTable } from '../../ui/DataTable';
import { TextLink } from '../../ui/TextLink';
import { ChartFigure, Drawing } from './ChartFigure';
import type { Stats } from './queries';
import {
  FAILED_STATUSES,
  type Listed,
  on,
  seriesColor,
  TERM_SECONDS,
  transactionsOf,
} from './terms';

interface Props {
  stats: Stats;
}

const DAY = { key: 'day', title: 'Day (UTC)', cell: ({ day }: { day: string }) => day };

/** A series of several sets, or of what has none, is listed with all the others of its day. */
function narrowedTo(txSet: string | null): { tx_set?: string } {
  return txSet === null || txSet === '' ? {} : { tx_set: txSet };
}

export function VolumeChart({ stats }: Props) {
  const navigate = useNavigate();
  const volume = volumeChart(
    stats.volume,
    stats.failure.map(({ day }) => day),
  );
  const about = `By set and UTC day, ${spanLabel(stats)}`;
  const legend = volume.series.map(({ label }, index) => ({ label, color: seriesColor(index) }));
  return (
    <ChartFigure title="Volume" about={about} table={<VolumeTable volume={volume} />}>
      <Drawing about={`Volume. ${about}`} legend={legend}>
        {({ VolumeBars }) => (
          <VolumeBars
            volume={volume}
            onOpen={(day, txSet) => void navigate(transactionsOf(on(day), narrowedTo(txSet)))}
          />
        )}
      </Drawing>
    </ChartFigure>
  );
}

function VolumeTable({ volume }: { volume: Volume }) {
  type Row = Volume['days'][number];
  const columns: Column<Row>[] = [
    DAY,
    ...volume.series.map(({ key, label, txSet }): Column<Row> => {
      return {
        key,
        title: label,
        numeric: true,
        cell: (row) => (
          <Linked listed={transactionsOf(on(row.day), narrowedTo(txSet))} count={row[key] ?? 0} />
        ),
      };
    }),
    {
      key: 'total',
      title: 'All',
      numeric: true,
      cell: ({ day, total }) => <Linked listed={transactionsOf(on(day))} count={total} />,
    },
  ];
  return (
    <DataTable
      label="Volume by day"
      columns={columns}
      rows={volume.days.toReversed()}
      rowKey={({ day }) => day}
    />
  );
}

export function FailureChart({ stats }: Props) {
  const navigate = useNavigate();
  const rates = failureRates(stats.failure);
  const failed = (day: string) => transactionsOf(on(day), { status: FAILED_STATUSES });
  const columns: Column<(typeof rates)[number]>[] = [
    DAY,
    {
      key: 'failed',
      title: 'Failed',
      numeric: true,
      cell: (row) => <Linked listed={failed(row.day)} count={row.failed} />,
    },
    {
      key: 'count',
      title: 'All',
      numeric: true,
      cell: ({ day, count }) => <Linked listed={transactionsOf(on(day))} count={count} />,
    },
    {
      key: 'rate',
      title: 'Rate',
      numeric: true,
      cell: (row) => shareWords(row.failed, row.count) ?? '–',
    },
  ];
  const about = 'Failed, rejected, invalid or quarantined, by UTC day';
  const table = (
    <DataTable
      label="Failures by day"
      columns={columns}
      rows={rates.toReversed()}
      rowKey={({ day }) => day}
    />
  );
  return (
    <ChartFigure title="Failure rate" about={about} table={table}>
      <Drawing about={`Failure rate. ${about}`}>
        {({ FailureLine }) => (
          <FailureLine rates={rates} onOpen={(day) => void navigate(failed(day))} />
        )}
      </Drawing>
    </ChartFigure>
  );
}

const LATENCY_LEGEND = [
  { label: 'median', color: seriesColor(0) },
  { label: '95 % within', color: seriesColor(1) },
  {
    label: `due after ${spanWords(TERM_SECONDS)} by default`,
    color: 'var(--ls-warn)',
    dashed: true,
  },
];

/** Without links: no list is of the answers that came on a day. */
export function LatencyChart({ stats }: Props) {
  const columns: Column<Stats['ack_latency'][number]>[] = [
    DAY,
    {
      key: 'p50',
      title: 'Median',
      numeric: true,
      cell: ({ p50_s }) => (p50_s === null ? '–' : spanWords(p50_s)),
    },
    {
      key: 'p95',
      title: '95 % within',
      numeric: true,
      cell: ({ p95_s }) => (p95_s === null ? '–' : spanWords(p95_s)),
    },
  ];
  const about = 'By the UTC day on which the acknowledgement arrived';
  const table = (
    <DataTable
      label="Time to acknowledge by day"
      columns={columns}
      rows={stats.ack_latency.toReversed()}
      rowKey={({ day }) => day}
    />
  );
  return (
    <ChartFigure title="Time to acknowledge" about={about} table={table}>
      <Drawing about={`Time to acknowledge. ${about}`} legend={LATENCY_LEGEND}>
        {({ LatencyLines }) => (
          <LatencyLines chart={latencyChart(stats.ack_latency, TERM_SECONDS)} />
        )}
      </Drawing>
    </ChartFigure>
  );
}

/** A number that leads to what it counts; none leads nowhere. */
function Linked({ listed, count }: { listed: Listed; count: number }) {
  if (count === 0) return '0';
  return <TextLink {...listed}>{count.toLocaleString('en')}</TextLink>;
}
