import { describe, expect, it } from 'vitest';
import { order } from './fixtures/inspected';
import { Random } from './fixtures/random';
import {
  ancestorIds,
  countRows,
  flatten,
  isInSample,
  openAtFirst,
  sourceCounts,
  sourceFilter,
  targetCounts,
  targetFilter,
} from './flatten';
import type { SourceNode } from './model';
import { rowsOfKeys } from './places';
import { allRows, sourceTree } from './source';
import { targetTree } from './target';

const TREE = sourceTree(order, null);
const NONE: ReadonlySet<string> = new Set();
const ALL = { expanded: openAtFirst(TREE), keep: NONE, filter: null, search: '' };

const ids = (rows: { node: { id: string } }[]) => rows.map(({ node }) => node.id);

describe('flatten', () => {
  it('lists rows with their places among siblings', () => {
    const rows = flatten(TREE, { ...ALL, expanded: NONE });
    expect(rows.map(({ node }) => node.code)).toEqual([
      ...['Envelope', 'BEG', 'REF', 'DTM', 'N1', 'PO1', 'CTT'],
    ]);
    expect(rows[1]).toMatchObject({ depth: 0, index: 1, posinset: 2, setsize: 7, expanded: false });
  });

  it('opens what is expanded, leaves have no state', () => {
    const rows = flatten(TREE, { ...ALL, expanded: new Set(['BEG']) });
    expect(rows[1]).toMatchObject({ expanded: true });
    expect(rows[2]).toMatchObject({ depth: 1, posinset: 1, setsize: 4, expanded: null });
  });

  it('keeps the rows around a hit and opens them', () => {
    const rows = flatten(TREE, { ...ALL, expanded: NONE, search: ' peoria ' });
    expect(ids(rows)).toEqual([
      'group:N1[*]',
      'N1[01=ST]',
      'N1[01=ST]>N4',
      'N1[01=ST]>N4.01',
      'N1[*]',
      'N1[*]>N4',
      'N1[*]>N4.01',
    ]);
    expect(rows.slice(0, 3).every(({ expanded }) => expanded === true)).toBe(true);
  });

  it('shows what stands in a row that is found', () => {
    const rows = flatten(TREE, { ...ALL, expanded: new Set(['CTT']), search: 'totals' });
    expect(ids(rows)).toEqual(['CTT', 'CTT.01', 'CTT.02']);
  });

  it('never hides kept rows behind a filter', () => {
    const filter = sourceFilter('unused', NONE);
    expect(flatten(TREE, { ...ALL, filter })).toEqual([]);
    const rows = flatten(TREE, { ...ALL, filter, keep: new Set(['BEG.03', 'PO1[*]']) });
    expect(ids(rows)).toEqual(['BEG', 'BEG.03', 'PO1[*]']);
  });

  it('of random trees shows exactly hits, kept rows and what is around them', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = new Random(seed);
      const nodes = [...allRows(TREE)];
      const chosen = new Set(nodes.filter(() => random.below(9) === 0).map(({ id }) => id));
      const keep = new Set(nodes.filter(() => random.below(20) === 0).map(({ id }) => id));
      const filter = (node: SourceNode) => chosen.has(node.id);
      const expanded = new Set(nodes.map(({ id }) => id));
      const around = ancestorIds(TREE);
      const hits = nodes.filter(
        ({ id, path }) => keep.has(id) || (path !== null && chosen.has(id)),
      );
      const wanted = new Set(hits.flatMap(({ id }) => [...(around.get(id) ?? []), id]));
      const shown = ids(flatten(TREE, { expanded, keep, filter, search: '' }));
      expect(new Set(shown)).toEqual(wanted);
      expect(shown).toEqual(nodes.map(({ id }) => id).filter((id) => wanted.has(id)));
    }
  });
});

describe('counts', () => {
  it('of the source count a value once, whatever branches show it', () => {
    const unused = rowsOfKeys(TREE, ['REF.02', 'N1.02']);
    expect(unused).toEqual(new Set(['REF[01=DP].02', 'N1[01=BT].02', 'REF[*].02']));
    const counts = sourceCounts(TREE, unused);
    expect(counts).toEqual({ sample: 36, all: 36, unused: 2 });
    expect(countRows(TREE, isInSample)).toBe(counts.sample);
  });

  it('of the target tell what has no rule', () => {
    const tree = targetTree('json', '{"a":1,"b":[{"c":1}]}', [], null);
    const mapped = new Set(['a']);
    expect(targetCounts(tree, mapped, new Set(['b[*].c']))).toEqual({
      all: 2,
      unmapped: 1,
      issues: 1,
    });
    expect(targetFilter('all', mapped, NONE)).toBeNull();
  });
});

describe('cost', () => {
  it('of a tree ten times as large is about ten times as much', () => {
    const visits = (size: number) => {
      let count = 0;
      const filter = () => {
        count += 1;
        return true;
      };
      const leaves = Array.from({ length: size }, (_, at) => ({
        id: `n${at}`,
        code: '',
        name: `n${at}`,
        path: `n${at}`,
        children: [],
      }));
      flatten(leaves, { expanded: NONE, keep: NONE, filter, search: 'n' });
      return count;
    };
    expect(visits(5000)).toBe(10 * visits(500));
  });
});
