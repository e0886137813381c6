import { describe, expect, it } from 'vitest';
import { conflictsOf } from './conflicts';
import { order } from './fixtures/inspected';
import { coverage, type Issue, issues } from './issues';
import type { MapState, Rule } from './model';
import { rulesBySource, sourceByKey } from './places';
import { sourceTree } from './source';
import { targetTree } from './target';

const SAMPLE = '{"po":"x","qty":1,"items":[{"sku":"a","n":2}]}';
const SOURCE = sourceTree(order, null);

function found(field_map: Rule[], more: { errors?: object[]; notices?: object[] } = {}): Issue[] {
  const state: MapState = {
    name: '',
    source_fmt: 'x12',
    target_fmt: 'json',
    tx_set: '850',
    direction: 'inbound',
    description: '',
    field_map,
    lookups: [],
    sample: null,
    target_sample: SAMPLE,
    tests: [],
    rejected: [],
  };
  const target = targetTree('json', SAMPLE, field_map, null);
  const base = { code: 'c', message: 'm' };
  return issues({
    state,
    source: SOURCE,
    target,
    errors: (more.errors ?? []).map((each) => ({ ...base, ...each })),
    notices: (more.notices ?? []).map((each) => ({ ...base, ...each })),
  });
}

const brief = (list: Issue[]) =>
  list.map(({ severity, code, rule }) => `${severity} ${code} ${rule}`);

describe('issues', () => {
  it('of a sound map are none', () => {
    expect(found([{ src: 'BEG.03', tgt: 'po' }])).toEqual([]);
    expect(found([{ src: 'PO1[-1].02', tgt: 'qty', type: 'number' }])).toEqual([]);
  });

  it.each<[Rule, string]>([
    [{ src: 'BEG.03', tgt: 'po', transform: 'titlecase' }, 'unknown_transform'],
    [{ src: 'BEG.03', tgt: 'po', type: 'text' }, 'unknown_type'],
    [{ src: 'BEG.03', tgt: 'po', on_missing: 'skip' }, 'unknown_on_missing'],
    [{ src: 'BEG.03', tgt: 'po', on_duplicate: 'both' }, 'unknown_on_duplicate'],
    [{ tgt: 'po' }, 'source'],
    [{ src: 'BEG.03', const: 'x', tgt: 'po' }, 'source'],
    [{ src: 'BEG.03', tgt: 'po', lookup: { table_id: 'units' } }, 'lookup'],
    [{ src: 'PO1[*].02', tgt: 'po' }, 'wildcards'],
    [{ src: 'BEG.03', tgt: 'items[*].sku' }, 'wildcards'],
  ])('names the fault of %j', (rule, code) => {
    expect(brief(found([rule]))).toEqual([`error ${code} 0`]);
  });

  it('want one source of a value: a path, a formula or a fixed value, of a list none', () => {
    const noFault = [
      { tgt: 'po', formula: 'BEG.03 & "x"' },
      { tgt: 'items[*]', group: '{PO1[*].07}' },
    ];
    expect(found(noFault).filter(({ severity }) => severity === 'error')).toEqual([]);
    const [fault] = found([{ tgt: 'po', formula: 'BEG.03', src: 'BEG.03' }]);
    expect(fault?.message).toBe('A rule has either a source, a formula or a fixed value.');
  });

  it('puts what the server says at its rule and row, in place of its own error', () => {
    const errors = [{ code: 'invalid_mapping_rule', param: 'field_map[0].transform' }];
    const list = found([{ src: 'BEG.03', tgt: 'po', transform: 'titlecase' }], { errors });
    expect(list).toEqual([
      { severity: 'error', code: 'invalid_mapping_rule', message: 'm', rule: 0, target: 'po' },
    ]);
  });

  it('lists errors, then warnings, then hints', () => {
    const rules: Rule[] = [
      { src: 'BEG.99', tgt: 'po' },
      { src: 'BEG.03', tgt: 'po' },
      { src: 'PO1.02', tgt: 'qty' },
    ];
    const notices = [
      { code: 'date_iso', param: 'field_map[1]' },
      { severity: 'error', code: 'e' },
    ];
    expect(brief(found(rules, { notices }))).toEqual([
      'error e null',
      'warning not_in_sample 0',
      'warning date_iso 1',
      'warning type 2',
      'info overwritten 0',
    ]);
  });

  it('name required targets without a rule', () => {
    const state: MapState['field_map'] = [];
    const target = targetTree('json', SAMPLE, state, null).map((node) => ({
      ...node,
      required: true,
    }));
    const input = { source: SOURCE, target, errors: [], notices: [] };
    const map = { source_fmt: 'x12', target_fmt: 'json', field_map: state, lookups: [] } as const;
    const rest = {
      name: '',
      tx_set: '',
      direction: 'inbound',
      description: '',
      sample: null,
    } as const;
    const full = { ...map, ...rest, lookups: [], target_sample: '', tests: [], rejected: [] };
    expect(issues({ ...input, state: full }).map(({ target: id }) => id)).toEqual(['po', 'qty']);
  });
});

describe('conflictsOf', () => {
  it.each([
    ['json', ['a', 'a.b'], 1],
    ['json', ['a.b', 'a'], 1],
    ['json', ['l[*].a', 'l[0].b'], 1],
    ['json', ['l[*].a', 'l.b'], 1],
    ['json', ['a', 'a', 'b.c', 'b.d', 'l[*].a', 'l[*].b'], 0],
    ['xml', ['O', 'O.@v', 'O.@w'], 0],
    ['xml', ['O.a', 'O.a.b'], 1],
    ['x12', ['PO1[*].02', 'PO1.03'], 1],
    ['x12', ['PO1[*].02', 'PO1[*]>PID.05', 'SV1.01.01', 'SV1.02'], 0],
    ['x12', ['SV1.01', 'SV1.01.02'], 1],
    ['csv', ['a', 'a.b', 'a[0]'], 0],
  ] as const)('of %s %j are %i', (format, targets, count) => {
    expect(conflictsOf(format, targets)).toHaveLength(count);
  });
});

describe('coverage', () => {
  it('counts the values of the sample that are read, without the envelope', () => {
    const all = [...sourceByKey(SOURCE).keys()].filter(
      (key) => !/^(ISA|GS|ST|SE|GE|IEA)\./.test(key),
    );
    expect(coverage(SOURCE, all.slice(10)).text).toBe(`10 of ${all.length} sample fields used`);
    expect(all).toHaveLength(52);
  });
});

describe('rulesBySource', () => {
  it('finds the rows that rules read, however they name them', () => {
    const rules: Rule[] = [
      { src: ['BEG.03', 'BEG03'], tgt: 'a' },
      { src: 'PO1[-1].02', tgt: 'b' },
      { src: 'PO1.02', tgt: 'b' },
      { src: 'XX.01', tgt: 'c' },
      { src: ':BEG.03', tgt: 'd' },
    ];
    expect(rulesBySource(SOURCE, rules)).toEqual(
      new Map([
        ['BEG.03', [0, 0, 4]],
        ['PO1[*].02', [1, 2]],
      ]),
    );
  });
});
