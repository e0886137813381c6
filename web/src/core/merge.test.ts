import { describe, expect, it } from 'vitest';
import { conflictWords, listed, mapChanges, mergeMaps } from './merge';
import type { MapState } from './model';

const BASE: MapState = {
  name: 'Orders',
  source_fmt: 'x12',
  target_fmt: 'json',
  tx_set: '850',
  direction: 'inbound',
  description: '',
  field_map: [
    { src: 'A.01', tgt: 'a' },
    { src: 'B.01', tgt: 'b' },
  ],
  lookups: [{ name: 'units', rows: [{ from: 'EA', to: 'each' }] }],
  sample: { document: 'ISA', format: 'x12' },
  target_sample: '{}',
  tests: [],
  rejected: [],
};
const test = (name: string, expected = '{}') => ({ name, document: 'ISA', expected });
const table = (name: string, to: string) => ({ name, rows: [{ from: 'EA', to }] });
const withMine = (change: Partial<MapState>): MapState => ({ ...BASE, ...change });
const decided = (mine: MapState, theirs: MapState) => {
  const { merged, conflicts } = mergeMaps(BASE, mine, theirs);
  return conflicts.reduce((state, conflict) => conflict.takeTheirs(state), merged);
};

describe('mergeMaps', () => {
  it('keeps the tests and tables of both', () => {
    const mine = withMine({ tests: [test('mine')], lookups: [...BASE.lookups, table('m', 'x')] });
    const theirs = withMine({
      tests: [test('theirs')],
      lookups: [...BASE.lookups, table('t', 'y')],
    });
    const { merged, conflicts } = mergeMaps(BASE, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(merged.tests.map(({ name }) => name)).toEqual(['mine', 'theirs']);
    expect(merged.lookups.map(({ name }) => name)).toEqual(['units', 'm', 't']);
  });

  it('takes what only one side changed, also removals and the order', () => {
    const mine = withMine({ name: 'Mine', lookups: [] });
    const theirs = withMine({ description: 'd', field_map: [...BASE.field_map].reverse() });
    expect(mergeMaps(BASE, mine, theirs)).toEqual({
      merged: { ...BASE, name: 'Mine', lookups: [], description: 'd', field_map: theirs.field_map },
      conflicts: [],
    });
  });

  it('names each thing that both changed, has mine, and takes theirs where that is chosen', () => {
    const change = (side: string) =>
      withMine({
        name: side,
        target_sample: side,
        sample: side === 'mine' ? null : { document: side, format: 'x12' },
        field_map: [{ src: `${side}.01`, tgt: 'a' }],
        lookups: [table('units', side)],
        tests: [test('one', side)],
      });
    const [mine, theirs] = [change('mine'), change('theirs')];
    const { merged, conflicts } = mergeMaps(BASE, mine, theirs);
    expect(merged).toEqual(mine);
    expect(conflictWords(conflicts)).toEqual([
      ...['1 rule', '1 lookup table', '1 test', 'the name', 'the sample document'],
      'the example of the output',
    ]);
    expect(conflicts.map((each) => [each.mine, each.theirs]).slice(3, 5)).toEqual([
      ['mine', 'theirs'],
      ['none', '{"document":"theirs","format":"x12"}'],
    ]);
    expect(decided(mine, theirs)).toEqual(theirs);
  });

  it('shows long texts from shortly before they differ', () => {
    const long = (end: string) => `${'x'.repeat(500)}${end}${'y'.repeat(500)}`;
    const { conflicts } = mergeMaps(
      BASE,
      withMine({ target_sample: long('MINE') }),
      withMine({ target_sample: long('THEIRS') }),
    );
    expect(conflicts.map(({ mine }) => mine)).toEqual([
      `…${'x'.repeat(40)}MINE${'y'.repeat(156)}…`,
    ]);
  });

  it('of equal changes leaves their lists as they are, and joins what was refused', () => {
    const mine = withMine({ tests: [test('one')], rejected: ['r'] });
    const theirs = withMine({ tests: [test('one')], rejected: ['s', 'r'] });
    const { merged } = mergeMaps(BASE, mine, theirs);
    expect(merged.tests).toBe(theirs.tests);
    expect(merged.rejected).toEqual(['r', 's']);
  });
});

describe('words', () => {
  it('count what differs', () => {
    const after = withMine({ name: 'x', field_map: [], tests: [test('one')] });
    expect(mapChanges(BASE, after)).toEqual(['2 rules', '1 test', 'the name']);
    expect(mapChanges(BASE, BASE)).toEqual([]);
  });

  it('are joined by commas and an and', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
  });
});
