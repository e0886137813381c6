import { describe, expect, test } from 'vitest';
import { failureRates, latencyChart, rateTicks, volumeChart } from './overviewCharts';

const DAYS = ['2026-01-14', '2026-01-15'];
const of = (tx_set: string, count: number, day = '2026-01-15') => ({ day, tx_set, count });

describe('volume', () => {
  test('has every day, the largest set first', () => {
    const volume = volumeChart([of('810', 1), of('850', 4), of('850', 2, '2026-01-14')], DAYS);
    expect(volume.series).toEqual([
      { key: 'set0', label: '850', txSet: '850', total: 6 },
      { key: 'set1', label: '810', txSet: '810', total: 1 },
    ]);
    expect(volume.days).toEqual([
      { day: '2026-01-14', total: 2, set0: 2, set1: 0 },
      { day: '2026-01-15', total: 5, set0: 4, set1: 1 },
    ]);
  });

  test('joins the smallest sets of more than six', () => {
    const sets = ['810', '820', '830', '850', '855', '856', '860'];
    const volume = volumeChart(
      sets.map((tx_set, index) => of(tx_set, 10 - index)),
      DAYS,
    );
    expect(volume.series.map(({ label }) => label)).toEqual([
      '810',
      '820',
      '830',
      '850',
      '855',
      '2 others',
    ]);
    expect(volume.series.at(-1)).toEqual({ key: 'set5', label: '2 others', txSet: null, total: 9 });
    expect(volume.days[1]).toMatchObject({ set5: 9, total: 49 });
    expect(
      volumeChart(
        volume.series.map(({ label }) => of(label, 1)),
        DAYS,
      ).series,
    ).toHaveLength(6);
  });

  test('names what could not be read, and leaves out a day of another period', () => {
    const volume = volumeChart([of('', 1), of('', 5, '2026-01-16')], DAYS);
    expect(volume.series.map(({ label, txSet }) => [label, txSet])).toEqual([['unreadable', '']]);
    expect(volume.days.map(({ total }) => total)).toEqual([0, 1]);
  });

  test('takes no set for a path or a member of every object', () => {
    const volume = volumeChart([of('a.b', 1), of('__proto__', 2)], DAYS);
    expect(volume.days[1]).toEqual({ day: '2026-01-15', total: 3, set0: 2, set1: 1 });
  });
});

test('a day without transactions has no failure rate, which is not zero', () => {
  const rates = failureRates([
    { day: '2026-01-13', failed: 0, count: 0 },
    { day: '2026-01-14', failed: 0, count: 8 },
    { day: '2026-01-15', failed: 1, count: 8 },
  ]);
  expect(rates.map(({ rate }) => rate)).toEqual([null, 0, 12.5]);
});

test.each([
  [[], 5],
  [[null, 0], 5],
  [[4.9, 5.1, null], 10],
  [[33.3], 50],
  [[50.1], 100],
  [[100], 100],
])('the scale of the rates %j ends at %d percent', (found, end) => {
  const rates = found.map((rate) => ({ day: 'x', failed: 0, count: 0, rate }));
  expect(rateTicks(rates).at(-1)).toBe(end);
  expect(rateTicks(rates)).toHaveLength(6);
});

describe('latency', () => {
  const at = (p50_s: number | null, p95_s: number | null) => ({ day: 'x', p50_s, p95_s });

  test('reaches to the term, and leaves a gap where no answer came', () => {
    const chart = latencyChart([at(0, 92), at(null, null)], 172_800);
    expect(chart.days).toEqual([
      { day: 'x', p50: 1, p95: 92 },
      { day: 'x', p50: null, p95: null },
    ]);
    expect(chart.ticks.at(-1)).toBe(172_800);
    expect(chart.longest).toBe(172_800);
  });

  test('reaches to the latest answer, however late', () => {
    expect(latencyChart([at(5, 200_000)], 172_800).longest).toBe(864_000);
    expect(latencyChart([at(5, 9_000_000)], 172_800)).toMatchObject({ longest: 9_000_000 });
  });
});
