import { SegmentedControl } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { EmptyState, QueryState } from '../../ui/States';
import { LinkButton } from '../../ui/TextLink';
import { Attention } from './Attention';
import { FailureChart, LatencyChart, VolumeChart } from './DayCharts';
import { PERIODS, type PeriodLength } from './periods';
import { attentionQuery, type Stats } from './queries';
import { Rejections } from './Rejections';
import { Tiles } from './Tiles';
import classes from './Trade.module.css';

interface PeriodProps {
  length: PeriodLength;
  onLength: (length: PeriodLength) => void;
}

/** How many days the figures are of. */
export function PeriodChoice({ length, onLength }: PeriodProps) {
  return (
    <SegmentedControl
      aria-label="Period"
      data={PERIODS.map((days) => ({
        value: String(days),
        label: days === 1 ? 'Today' : `${days} days`,
      }))}
      value={String(length)}
      onChange={(chosen) => {
        const found = PERIODS.find((days) => String(days) === chosen);
        if (found !== undefined) onLength(found);
      }}
    />
  );
}

interface Props {
  stats: UseQueryResult<Stats>;
  length: PeriodLength;
}

/** What happened in a period, and what needs somebody. */
export function Trade({ stats, length }: Props) {
  const attention = useQuery(attentionQuery);
  const isOverdue = attention.data?.items.some(({ kind }) => kind === 'ack_overdue') === true;
  return (
    <>
      <QueryState query={stats} what="The figures could not be loaded.">
        {(found) => <Tiles stats={found} length={length} isOverdue={isOverdue} />}
      </QueryState>
      <Attention />
      {stats.data !== undefined && <Charts stats={stats.data} length={length} />}
    </>
  );
}

function Charts({ stats, length }: { stats: Stats; length: PeriodLength }) {
  const wasAnswered = stats.ack_latency.some(({ p50_s }) => p50_s !== null);
  if (stats.totals.count === 0 && !wasAnswered) {
    return (
      <EmptyState action={length === 90 ? null : <WholePeriod />}>
        {length === 1
          ? 'Nothing was exchanged today.'
          : `Nothing was exchanged in these ${length} days.`}
      </EmptyState>
    );
  }
  return (
    <div className={classes.charts}>
      <VolumeChart stats={stats} />
      <LatencyChart stats={stats} />
      <FailureChart stats={stats} />
      <Rejections stats={stats} />
    </div>
  );
}

function WholePeriod() {
  return (
    <LinkButton to="/app" search={{ period: 90 }} variant="default">
      Show 90 days
    </LinkButton>
  );
}
