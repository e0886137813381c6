/** What the charts of the overview draw, and what their tables tell: of the same rows. */

export interface SetVolume {
  day: string;
  tx_set: string;
  count: number;
}

/** A kind of bar. `txSet` null: all sets that have none of their own. */
export interface VolumeSeries {
  /** A name without signs that a chart would take for a path. */
  key: `set${number}`;
  label: string;
  txSet: string | null;
  total: number;
}

export interface VolumeDay {
  day: string;
  total: number;
  [key: `set${number}`]: number;
}

export interface Volume {
  series: VolumeSeries[];
  /** Each day of the period, also one without transactions, which has zeros. */
  days: VolumeDay[];
}

/** What the service calls the sets that it does not count singly; there are more than 20 then. */
const OTHERS = 'other';
/** More colours than these are hard to distinguish. */
const MAX_SERIES = 6;

/** Volumes by day and set, the largest sets first; the smallest share the last series. */
export function volumeChart(volumes: readonly SetVolume[], days: readonly string[]): Volume {
  const totals = new Map<string, number>();
  for (const { tx_set, count } of volumes) totals.set(tx_set, (totals.get(tx_set) ?? 0) + count);
  const ranked = [...totals].sort(
    ([a, x], [b, y]) => Number(a === OTHERS) - Number(b === OTHERS) || y - x || (a < b ? -1 : 1),
  );
  const own = ranked.length > MAX_SERIES ? ranked.slice(0, MAX_SERIES - 1) : ranked;
  const rest = ranked.slice(own.length);
  const series = own.map(([txSet, total], index): VolumeSeries => {
    return { key: `set${index}`, label: txSet === '' ? 'unreadable' : txSet, txSet, total };
  });
  if (rest.length > 0) {
    const total = rest.reduce((sum, [, count]) => sum + count, 0);
    const label = totals.has(OTHERS) ? 'others' : `${rest.length} others`;
    series.push({ key: `set${own.length}`, label, txSet: null, total });
  }
  return { series, days: volumeDays(volumes, days, series) };
}

function volumeDays(
  volumes: readonly SetVolume[],
  days: readonly string[],
  series: readonly VolumeSeries[],
): VolumeDay[] {
  const keys = new Map(series.map(({ txSet, key }) => [txSet, key]));
  const zeros = Object.fromEntries(series.map(({ key }) => [key, 0]));
  const rows = new Map(days.map((day): [string, VolumeDay] => [day, { ...zeros, day, total: 0 }]));
  for (const { day, tx_set, count } of volumes) {
    const row = rows.get(day);
    const key = keys.get(tx_set) ?? keys.get(null);
    if (row === undefined || key === undefined) continue;
    row[key] = (row[key] ?? 0) + count;
    row.total += count;
  }
  return [...rows.values()];
}

export interface DayFailure {
  day: string;
  failed: number;
  count: number;
}

/** `rate`: percent; null on a day on which nothing could fail, which is not zero. */
export interface DayRate extends DayFailure {
  rate: number | null;
}

export function failureRates(failures: readonly DayFailure[]): DayRate[] {
  return failures.map((each) => ({
    ...each,
    rate: each.count === 0 ? null : (each.failed / each.count) * 100,
  }));
}

const RATE_CEILINGS = [5, 10, 20, 50];

/** Five steps from 0 to the round number above all rates. */
export function rateTicks(rates: readonly DayRate[]): number[] {
  const highest = Math.max(0, ...rates.map(({ rate }) => rate ?? 0));
  const ceiling = RATE_CEILINGS.find((each) => each >= highest) ?? 100;
  return [0, 1, 2, 3, 4, 5].map((step) => (step * ceiling) / 5);
}

export interface DayLatency {
  day: string;
  p50_s: number | null;
  p95_s: number | null;
}

/** Seconds on a logarithmic scale: answers take from a second to a week. It has no zero. */
const LATENCY_TICKS = [1, 10, 60, 600, 3600, 36_000, 172_800, 864_000, 5_184_000] as const;

/** In seconds; null where no answer came. `longest`: where the scale ends. */
export interface LatencyChart {
  days: { day: string; p50: number | null; p95: number | null }[];
  ticks: number[];
  longest: number;
}

/** Latencies as they can be drawn, and the ticks up to the longest of them and `due`. */
export function latencyChart(latencies: readonly DayLatency[], due: number): LatencyChart {
  const days = latencies.map(({ day, p50_s, p95_s }) => ({
    day,
    p50: drawn(p50_s),
    p95: drawn(p95_s),
  }));
  const longest = Math.max(due, ...days.map(({ p95 }) => p95 ?? 0));
  const enough = LATENCY_TICKS.findIndex((tick) => tick >= longest);
  const ticks = enough === -1 ? [...LATENCY_TICKS] : LATENCY_TICKS.slice(0, enough + 1);
  return { days, ticks, longest: Math.max(longest, ticks.at(-1) ?? longest) };
}

function drawn(seconds: number | null): number | null {
  return seconds === null ? null : Math.max(1, seconds);
}
