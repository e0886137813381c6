import { describe, expect, it } from 'vitest';
import { order } from './fixtures/inspected';
import { Random } from './fixtures/random';
import { History } from './history';
import type {
  ConnectResult,
  Format,
  MapState,
  Rule,
  SourceEnd,
  Suggestion,
  TargetEnd,
  TargetNode,
} from './model';
import {
  acceptSuggestions,
  chip,
  connect,
  disconnect,
  forEach,
  moveRule,
  rejectedPairs,
  rejectSuggestion,
  removeRule,
  rulesOf,
  setConstant,
  updateRule,
} from './rules';
import { byPath, sourceTree } from './source';
import { targetTree } from './target';
import { placeOf } from './targetSample';

const SAMPLE =
  '{"po":"x","day":"2024-01-15","items":[{"sku":"a","qty":1,"texts":["t"]}],"city":""}';

const SOURCE = byPath(sourceTree(order, null));
const TARGET = byPath(targetTree('json', SAMPLE, [], null));

function state(...field_map: Rule[]): MapState {
  return {
    name: 'm',
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
}

function source(path: string): SourceEnd {
  return SOURCE.get(path) ?? fail(path);
}

function target(path: string): TargetEnd & { name: string } {
  return TARGET.get(path) ?? fail(path);
}

function fail(path: string): never {
  throw new Error(`no row ${path}`);
}

function rulesAfter(result: ConnectResult): Rule[] | string {
  return result.kind === 'done' ? result.state.field_map : result.kind;
}

function suggestion(first: Rule, ...others: Rule[]): Suggestion {
  const src = typeof first.src === 'string' ? first.src : '';
  const { tgt, transform = 'none' } = first;
  return { src, tgt, transform, score: 1, reason: '', group: '', rules: [first, ...others] };
}

/** The rule that a link makes where this is all the example has. */
function ruleFor(sample: string, from: SourceEnd, format: Format = 'x12'): unknown {
  const now: MapState = { ...state(), target_sample: sample, source_fmt: format };
  const [row] = targetTree('json', sample, [], null).flatMap((each) => [each, ...each.children]);
  const [rule] = rulesAfter(
    connect(now, from, row ?? fail(sample), { answer: { value: 'append' } }),
  );
  return rule;
}

describe('the type of the target', () => {
  const text: SourceEnd = { ...source('BEG.03'), badge: 'str' };

  it.each([
    ['{"t": 1}', { type: 'number' }],
    ['{"t": true}', { type: 'boolean' }],
    ['{"t": "1"}', {}],
    ['{"t": null}', { on_missing: 'null' }],
  ])('is what a link writes: %s', (sample, members) => {
    expect(ruleFor(sample, text)).toEqual({ src: 'BEG.03', tgt: 't', ...members });
  });

  it('is the one of all items, unless they differ', () => {
    const lists = (items: string) => ruleFor(`{"t": [${items}]}`, source('PO1[*].02'));
    expect(lists('null, 2')).toMatchObject({ tgt: 't[*]', type: 'number' });
    expect(lists('2, null')).toMatchObject({ tgt: 't[*]', type: 'number' });
    expect(lists('2, "x"')).toEqual({ src: 'PO1[*].02', tgt: 't[*]' });
  });

  it('is that of the source where the example has null and the source is JSON', () => {
    expect(ruleFor('{"t": null}', text, 'json')).toMatchObject({ type: 'raw', on_missing: 'null' });
  });

  it('of a date is the way the example writes it', () => {
    const day = source('BEG.05');
    expect(ruleFor('{"t": "2026-01-02"}', day)).toMatchObject({ transform: 'date_iso' });
    expect(ruleFor('{"t": "20260102"}', day)).toEqual({ src: 'BEG.05', tgt: 't' });
  });

  it('is that of a fixed value as well', () => {
    const constant = (value: string, tgt: string) =>
      rulesAfter(
        setConstant(
          { ...state(), target_sample: '{"n": 1, "b": true, "s": ""}' },
          {
            ...target('po'),
            path: tgt,
          },
          value,
        ),
      );
    expect(constant('48', 'n')).toEqual([{ const: 48, tgt: 'n' }]);
    expect(constant('12345678901234567890', 'n')).toEqual([
      { const: '12345678901234567890', type: 'number', tgt: 'n' },
    ]);
    expect(constant('x', 'n')).toEqual([{ const: 'x', tgt: 'n' }]);
    expect(constant('false', 'b')).toEqual([{ const: false, tgt: 'b' }]);
    expect(constant('no', 'b')).toEqual([{ const: 'no', tgt: 'b' }]);
    expect(constant('48', 's')).toEqual([{ const: '48', tgt: 's' }]);
  });
});

describe('the order of the target', () => {
  it.each([
    ['json', '[{"a": 1, "b": {"c": 2}}, {"d": 3}]', ['[*].d', '[*].b.c', '[*].a', '[*].new']],
    ['xml', '<o v="1"><a>1</a><b/></o>', ['o.b', 'o.a', 'o.@v', 'o.new']],
    ['csv', 'a,b,c\n1,2,3\n', ['c', 'b', 'a', 'new']],
  ] as const)('is that of the rules: %s', (target_fmt, target_sample, paths) => {
    let now: MapState = { ...state(), target_fmt, target_sample };
    for (const tgt of paths) {
      now = {
        ...now,
        field_map: now.field_map.toSpliced(placeOf(now, now.field_map, tgt), 0, {
          const: '',
          tgt,
        }),
      };
    }
    const [third, second, first, unknown] = paths;
    expect(now.field_map.map(({ tgt }) => tgt)).toEqual([first, second, third, unknown]);
  });

  it('of X12, and of an example that cannot be read, is that in which rules are made', () => {
    const rules: Rule[] = [{ const: '', tgt: 'qty' }];
    expect(placeOf({ ...state(), target_fmt: 'x12' }, rules, 'po')).toBe(1);
    expect(placeOf({ ...state(), target_sample: '{' }, rules, 'po')).toBe(1);
  });
});

describe('connect', () => {
  it('writes both paths', () => {
    const result = connect(state(), source('BEG.03'), target('po'));
    expect(rulesAfter(result)).toEqual([{ src: 'BEG.03', tgt: 'po' }]);
    expect(result).toMatchObject({ announcement: 'Linked BEG.03 to po' });
  });

  it('converts where both ends say what they are', () => {
    const dated = connect(state(), source('BEG.05'), target('day'));
    const counted = connect(state(), source('PO1[*].02'), target('items[*].qty'));
    expect(rulesAfter(dated)).toEqual([{ src: 'BEG.05', tgt: 'day', transform: 'date_iso' }]);
    expect(rulesAfter(counted)).toEqual([
      { src: 'PO1[*].02', tgt: 'items[*].qty', type: 'number' },
    ]);
    expect(counted).toMatchObject({ announcement: 'Linked PO1.02 to qty, repeated for each PO1' });
  });

  it('keeps the condition of a branch', () => {
    const result = connect(state(), source('N1[01=ST]>N4.01'), target('city'));
    expect(rulesAfter(result)).toEqual([{ src: 'N1[01=ST]>N4.01', tgt: 'city' }]);
  });

  it('replaces what wrote there, at its place', () => {
    const before = state({ src: 'BEG.01', tgt: 'po' }, { src: 'BEG.02', tgt: 'city' });
    const result = connect(before, source('BEG.03'), target('po'));
    expect(rulesAfter(result)).toEqual([
      { src: 'BEG.03', tgt: 'po' },
      { src: 'BEG.02', tgt: 'city' },
    ]);
    expect(result).toMatchObject({ announcement: 'Linked BEG.03 to po, in place of BEG.01' });
    expect(before.field_map[0]).toEqual({ src: 'BEG.01', tgt: 'po' });
  });

  it('puts a value of the heading into the first item', () => {
    const result = connect(state(), source('BEG.03'), target('items[*].sku'));
    expect(rulesAfter(result)).toEqual([{ src: 'BEG.03', tgt: 'items[0].sku' }]);
    expect(result).toMatchObject({ announcement: 'Linked BEG.03 to items[0].sku' });
  });

  it.each([
    ['first', { src: 'PO1.02', tgt: 'po' }],
    ['last', { src: 'PO1[-1].02', tgt: 'po' }],
    ['join', { src: 'PO1[*].02', tgt: 'po', on_duplicate: 'join:; ' }],
    ['append', { src: 'PO1[*].02', tgt: 'po', on_duplicate: 'append' }],
  ] as const)('asks what to do with a loop for one place: %s', (value, rule) => {
    const asked = connect(state(), source('PO1[*].02'), target('po'));
    expect(asked.kind).toBe('question');
    const answer = { value, text: '; ' };
    expect(rulesAfter(connect(state(), source('PO1[*].02'), target('po'), { answer }))).toEqual([
      rule,
    ]);
  });

  it('asks only for first and last where the target repeats less often', () => {
    const deep: SourceEnd = { ...source('PO1[*].02'), path: 'PO1[*]>PID[*].05' };
    const asked = connect(state(), deep, target('items[*].sku'));
    expect(asked).toMatchObject({
      question: { choices: [{ value: 'first' }, { value: 'last' }] },
    });
    const answer = { value: 'last' } as const;
    expect(rulesAfter(connect(state(), deep, target('items[*].sku'), { answer }))).toEqual([
      { src: 'PO1[*]>PID[-1].05', tgt: 'items[*].sku' },
    ]);
  });

  it('explains another loop for the same array, and offers the fix', () => {
    const before = state({ src: 'PO1[*].02', tgt: 'items[*].qty' }, { src: 'BEG.03', tgt: 'po' });
    const refused = connect(before, source('N1[*].02'), target('items[*].sku'));
    expect(refused).toEqual({
      kind: 'refusal',
      refusal: 'items[] is repeated for each PO1, and N1.02 for each N1.',
      fix: 'Repeat items[] for each N1 instead, without its rule for each PO1',
    });
    const fixed = connect(before, source('N1[*].02'), target('items[*].sku'), { fix: true });
    expect(rulesAfter(fixed)).toEqual([
      { src: 'BEG.03', tgt: 'po' },
      { src: 'N1[*].02', tgt: 'items[*].sku' },
    ]);
  });

  it('takes inner and outer loops of one array together', () => {
    const before = state({ src: 'PO1[*].02', tgt: 'items[*].qty' });
    const deep: SourceEnd = { ...source('PO1[*].02'), path: 'PO1[*]>PID[*].05', badge: 'str' };
    expect(rulesAfter(connect(before, deep, target('items[*].texts[*]')))).toHaveLength(2);
  });

  it('refuses numbers and wildcards in one array, and clears the way if asked to', () => {
    const before = state({ src: 'PO1[*].02', tgt: 'items[*].qty' });
    const refused = connect(before, source('BEG.03'), target('items[*].sku'));
    expect(refused).toMatchObject({ kind: 'refusal', fix: 'Remove the conflicting rule' });
    const fixed = connect(before, source('BEG.03'), target('items[*].sku'), { fix: true });
    expect(rulesAfter(fixed)).toEqual([{ src: 'BEG.03', tgt: 'items[0].sku' }]);
  });

  it('refuses rows without a value of their own', () => {
    const loop: SourceEnd = {
      path: null,
      loops: ['PO1[*]'],
      name: 'Lines',
      code: 'PO1',
      badge: 'loop',
    };
    const list: TargetEnd = { path: null, kind: 'array', name: 'items', badge: 'arr' };
    expect(connect(state(), loop, target('po'))).toMatchObject({ kind: 'refusal' });
    expect(connect(state(), source('BEG.03'), list)).toMatchObject({ kind: 'refusal' });
  });

  it('combines sources that repeat alike, and no others', () => {
    const before = state({ src: 'BEG.03', tgt: 'po' });
    const both = connect(before, source('BEG.05'), target('po'), { combine: true });
    expect(rulesAfter(both)).toEqual([{ src: ['BEG.03', 'BEG.05'], tgt: 'po', join: ' ' }]);
    const again = connect(before, source('BEG.03'), target('po'), { combine: true });
    expect(again).toMatchObject({ kind: 'refusal' });
  });

  it('writes columns of a CSV whatever repeats', () => {
    const csv: MapState = { ...state(), target_fmt: 'csv' };
    const column: TargetEnd = { path: 'qty', kind: 'column', name: 'qty', badge: 'str' };
    expect(rulesAfter(connect(csv, source('PO1[*].02'), column))).toEqual([
      { src: 'PO1[*].02', tgt: 'qty' },
    ]);
  });
});

describe('other operations', () => {
  const two = state(
    { src: ['BEG.03', 'BEG.05'], join: '-', tgt: 'po' },
    { const: 'x', tgt: 'city' },
  );

  it('disconnect takes one source of several, or all', () => {
    const one = disconnect(two, target('po'), { path: 'BEG.03' });
    expect(one.state.field_map[0]).toEqual({ src: 'BEG.05', tgt: 'po' });
    expect(disconnect(two, target('po')).state.field_map).toEqual([{ const: 'x', tgt: 'city' }]);
    expect(disconnect(two, target('po'), { path: 'N1.02' }).state.field_map).toEqual(two.field_map);
  });

  it('updateRule sets members and takes undefined ones away', () => {
    const { state: after } = updateRule(two, 0, { join: undefined, note: 'n' });
    expect(after.field_map[0]).toEqual({ src: ['BEG.03', 'BEG.05'], note: 'n', tgt: 'po' });
    expect(updateRule(two, 9, { note: 'n' }).state).toBe(two);
  });

  it('removeRule and moveRule change the list alone', () => {
    expect(removeRule(two, 0).state.field_map).toEqual([{ const: 'x', tgt: 'city' }]);
    expect(moveRule(two, 0, 1).state.field_map.map(({ tgt }) => tgt)).toEqual(['city', 'po']);
    expect(moveRule(two, 0, 2).state).toBe(two);
  });

  it('setConstant writes in place of a link', () => {
    const result = setConstant(two, target('po'), 9.5);
    expect(rulesAfter(result)).toEqual([
      { const: 9.5, tgt: 'po' },
      { const: 'x', tgt: 'city' },
    ]);
  });

  it('acceptSuggestions leaves targets alone that have a rule', () => {
    const { state: after, announcement } = acceptSuggestions(two, [
      suggestion({ src: 'BEG.03', tgt: 'po' }),
      suggestion({ src: 'BEG.05', tgt: 'day', transform: 'date_iso' }),
    ]);
    expect(after.field_map).toEqual([
      two.field_map[0],
      { src: 'BEG.05', tgt: 'day', transform: 'date_iso' },
      two.field_map[1],
    ]);
    expect(announcement).toBe('Accepted 1 suggestion');
  });

  it('acceptSuggestions adds all rules of each, in the order of the target', () => {
    const ids: [Rule, Rule] = [
      { src: 'PO1[*].07', tgt: 'items[*].sku', when: 'PO1[*].06=VP' },
      { src: 'PO1[*].09', tgt: 'items[*].sku', when: 'PO1[*].08=VP' },
    ];
    const { state: after, announcement } = acceptSuggestions(state(), [
      suggestion({ src: 'PO1[*].02', tgt: 'items[*].qty', type: 'number' }),
      suggestion(...ids),
      suggestion({ src: 'BEG.03', tgt: 'po' }),
    ]);
    expect(after.field_map).toEqual([
      { src: 'BEG.03', tgt: 'po' },
      ...ids,
      { src: 'PO1[*].02', tgt: 'items[*].qty', type: 'number' },
    ]);
    expect(announcement).toBe('Accepted 3 suggestions');
  });

  it('rejectSuggestion remembers each pair once', () => {
    const pair = { src: 'BEG.03', tgt: 'po' };
    const { state: after } = rejectSuggestion(rejectSuggestion(two, pair).state, pair);
    expect(rejectedPairs(after)).toEqual([pair]);
  });

  it('rulesOf finds the rules of single places of an array', () => {
    const rules: Rule[] = [
      { src: 'BEG.03', tgt: 'items[0].sku' },
      { src: 'BEG.03', tgt: 'po' },
    ];
    expect(rulesOf(rules, target('items[*].sku')).map(({ index }) => index)).toEqual([0]);
  });
});

describe('chip', () => {
  it('says in words what it shows', () => {
    const rule: Rule = { src: 'BEG.05', tgt: 'day', transform: 'date_iso' };
    expect(chip(rule, SOURCE)).toEqual({
      text: 'BEG.05 date_iso',
      words: 'from BEG.05, Order date, transform date_iso',
      dashed: false,
    });
    expect(chip({ src: 'N1[01=ST].02', tgt: 'po' }, SOURCE).text).toBe('N1.02 if 01=ST');
    expect(chip({ const: 'EA', tgt: 'po' }, SOURCE).text).toBe('= "EA"');
  });
});

describe('forEach', () => {
  const list = targetTree('json', SAMPLE, [], null).find(({ kind }) => kind === 'array');

  it('is derived from what is written into the array', () => {
    const rules: Rule[] = [{ src: 'PO1[*].02', tgt: 'items[*].qty' }];
    expect(forEach(list ?? fail('items'), rules)).toEqual({
      loops: ['PO1[*]'],
      text: 'for each PO1',
    });
    expect(forEach(list ?? fail('items'), [{ src: 'BEG.03', tgt: 'items[0].qty' }])).toBeNull();
  });
});

/** Any operation, on rows of both trees. */
function anyChange(random: Random, now: MapState): MapState {
  const sources = [...SOURCE.values()];
  const targets: TargetNode[] = [...TARGET.values()];
  const from = sources[random.below(sources.length)] ?? fail('');
  const to = targets[random.below(targets.length)] ?? fail('');
  const index = random.below(now.field_map.length + 1);
  const value = random.of(['first', 'last', 'join', 'append', 'fix'] as const);
  const done = random.of([
    () => connect(now, from, to, { answer: { value }, combine: random.below(3) === 0, fix: true }),
    () => connect(now, from, to, { answer: { value } }),
    () => disconnect(now, to),
    () => updateRule(now, index, { note: String(index), join: undefined }),
    () => removeRule(now, index),
    () => moveRule(now, index, 0),
    () => setConstant(now, to, index),
  ])();
  return done.kind === 'done' ? done.state : now;
}

describe('undo', () => {
  it.each(Array.from({ length: 50 }, (_, seed) => seed))(
    'of all of sequence %i gives the beginning, and redo the end',
    (seed) => {
      const random = new Random(seed);
      const before = JSON.stringify(state());
      let history = History.of(state());
      for (let step = 0; step < 40; step += 1) {
        history = history.push(anyChange(random, history.present), `step ${step}`);
      }
      const end = JSON.stringify(history.present);
      while (history.canUndo) {
        history = history.undo();
      }
      expect(JSON.stringify(history.present)).toBe(before);
      while (history.canRedo) {
        history = history.redo();
      }
      expect(JSON.stringify(history.present)).toBe(end);
    },
  );
});
