/** What draws the charts: a chunk of its own, loaded when there is something to draw. */
import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { type DayRate, type LatencyChart, rateTicks, type Volume } from '../../core/overviewCharts';
import { dayLabel } from '../../core/overviewDays';
import { spanWords } from '../../core/overviewWords';
import { seriesColor, TERM_SECONDS } from './terms';

/** What all charts have in common. The keyboard has the tables, so nothing here takes the focus. */
const COMMON = {
  h: 220,
  dataKey: 'day',
  accessibilityLayer: false,
  gridColor: 'var(--ls-line)',
  textColor: 'var(--ls-muted)',
  xAxisProps: { tickFormatter: dayLabel, minTickGap: 24, padding: { left: 8, right: 8 } },
  tooltipProps: { labelFormatter: (day: unknown) => `${dayLabel(String(day))}, UTC` },
} as const;

/** Every tick where it belongs: the kit would move those at both ends. */
const Y_AXIS = { interval: 0, width: 'auto' } as const;

/** A line breaks where nothing was measured. */
const LINE = {
  ...COMMON,
  curveType: 'linear',
  connectNulls: false,
  dotProps: { r: 2 },
  activeDotProps: { r: 5 },
} as const;

interface VolumeProps {
  volume: Volume;
  onOpen: (day: string, txSet: string | null) => void;
}

/** A bar for each day, a part of it for each set. */
export function VolumeBars({ volume, onOpen }: VolumeProps) {
  return (
    <BarChart
      {...COMMON}
      data={volume.days}
      type="stacked"
      maxBarWidth={40}
      cursorFill="var(--ls-sel)"
      yAxisProps={{ ...Y_AXIS, allowDecimals: false }}
      series={volume.series.map(({ key, label }, index) => ({
        name: key,
        label,
        color: seriesColor(index),
      }))}
      barProps={({ name }) => ({
        cursor: 'pointer',
        onClick: (_bar, index) => {
          const day = volume.days[index]?.day;
          const chosen = volume.series.find(({ key }) => key === name);
          if (day !== undefined) onOpen(day, chosen?.txSet ?? null);
        },
      })}
    />
  );
}

interface FailureProps {
  rates: DayRate[];
  onOpen: (day: string) => void;
}

/** The share of failed transactions by day; no point on a day without any. */
export function FailureLine({ rates, onOpen }: FailureProps) {
  const ticks = rateTicks(rates);
  return (
    <LineChart
      {...LINE}
      data={rates}
      series={[{ name: 'rate', label: 'Failed', color: 'var(--ls-err)' }]}
      valueFormatter={(rate) => `${rate.toFixed(Number.isInteger(rate) ? 0 : 1)} %`}
      yAxisProps={{ ...Y_AXIS, ticks, domain: [0, ticks.at(-1) ?? 100] }}
      lineChartProps={{
        // The nearest day, wherever in its column the chart is pressed.
        onClick: ({ activeLabel }) => {
          const pressed = rates.find(({ day }) => day === activeLabel);
          if (pressed !== undefined && pressed.failed > 0) onOpen(pressed.day);
        },
      }}
    />
  );
}

/** How long answers took by the day they came, on a logarithmic scale, and when one is due. */
export function LatencyLines({ chart }: { chart: LatencyChart }) {
  return (
    <LineChart
      {...LINE}
      data={chart.days}
      series={[
        { name: 'p50', label: 'Median', color: seriesColor(0) },
        { name: 'p95', label: '95 % within', color: seriesColor(1) },
      ]}
      valueFormatter={spanWords}
      yAxisProps={{
        ...Y_AXIS,
        scale: 'log',
        domain: [1, chart.longest],
        ticks: chart.ticks,
      }}
      referenceLines={[{ y: TERM_SECONDS, color: 'var(--ls-warn)', strokeDasharray: '6 4' }]}
    />
  );
}
