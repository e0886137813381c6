import { describe, expect, it } from 'vitest';
import type { Format, Rule, Schema, TargetNode } from './model';
import { rulesByTarget, TargetFinder } from './places';
import { allRows } from './source';
import { ancestorsOf, targetSampleFault, targetTree } from './target';

function listed(format: Format, sample: string, rules: Rule[] = [], schema: Schema | null = null) {
  const rows: [string, string, string | null, number][] = [];
  for (const { id, kind, path, arrays } of allRows(targetTree(format, sample, rules, schema))) {
    rows.push([id, kind, path, arrays]);
  }
  return rows;
}

const to = (tgt: string): Rule => ({ const: 'x', tgt });

describe('targetTree', () => {
  it('has a row for each value of a JSON sample, items of an array once', () => {
    expect(
      listed('json', '{"po":1,"items":[{"sku":"a"},{"qty":2}],"tags":["a"],"m":[[1]]}'),
    ).toEqual([
      ['po', 'value', 'po', 0],
      ['items[*]', 'array', null, 1],
      ['items[*].sku', 'value', 'items[*].sku', 1],
      ['items[*].qty', 'value', 'items[*].qty', 1],
      ['tags[*]', 'array', 'tags[*]', 1],
      ['m[*]', 'array', null, 1],
      ['m[*][*]', 'array', 'm[*][*]', 2],
    ]);
  });

  it('has elements and attributes of an XML sample, repeated ones once', () => {
    const sample =
      '<?xml version="1.0"?><!-- c --><O v="&lt;1"><po>x</po><L><q>1</q></L><L q="2"/></O>';
    expect(listed('xml', sample)).toEqual([
      ['O', 'element', null, 0],
      ['O.@v', 'attribute', 'O.@v', 0],
      ['O.po', 'element', 'O.po', 0],
      ['O.L[*]', 'array', null, 1],
      ['O.L[*].q', 'element', 'O.L[*].q', 1],
      ['O.L[*].@q', 'attribute', 'O.L[*].@q', 1],
    ]);
    const values = [...allRows(targetTree('xml', sample, [], null))].map(({ value }) => value);
    expect(values).toEqual(['', '<1', 'x', '', '1', '2']);
  });

  it('has the columns of a CSV header', () => {
    expect(listed('csv', '\ufeff"a;b";qty;a.b;qty;\r\n1;2\r\n')).toEqual([
      ['a;b', 'column', 'a;b', 0],
      ['qty', 'column', 'qty', 0],
      ['a\\.b', 'column', 'a\\.b', 0],
      ['c05', 'column', 'c05', 0],
    ]);
  });

  it('has the segments of a schema, loops that are lists with a wildcard', () => {
    expect(listed('x12', '', [to('PO1[*]>PID.05')], SCHEMA)).toEqual([
      ['BEG', 'segment', null, 0],
      ['BEG.03', 'element', 'BEG.03', 0],
      ['PO1[*]', 'loop', null, 1],
      ['PO1[*].02', 'element', 'PO1[*].02', 1],
      ['PO1[*]>PID', 'segment', null, 1],
      ['PO1[*]>PID.05', 'element', 'PO1[*]>PID.05', 1],
    ]);
    const [, beg] = allRows(targetTree('x12', '', [], SCHEMA));
    expect(beg).toMatchObject({ required: true, code: 'BEG03', name: 'Number' });
  });

  it('adds what rules write and the sample lacks', () => {
    const rules = [to('po'), to('items[0].sku'), to('ship.city'), to('ship.zip')];
    expect(listed('json', '{"po":1,"items":[{"sku":"a"}]}', rules).slice(3)).toEqual([
      ['ship', 'object', null, 0],
      ['ship.city', 'value', 'ship.city', 0],
      ['ship.zip', 'value', 'ship.zip', 0],
    ]);
    expect(listed('x12', '', [to('N1[2]>N4.01'), to('SV1.01.02')])).toEqual([
      ['N1[2]', 'segment', null, 0],
      ['N1[2]>N4', 'segment', null, 0],
      ['N1[2]>N4.01', 'element', 'N1[2]>N4.01', 0],
      ['SV1', 'segment', null, 0],
      ['SV1.01', 'element', null, 0],
      ['SV1.01.02', 'element', 'SV1.01.02', 0],
    ]);
    expect(listed('csv', 'qty\n', [to('qty'), to('a.b')]).map(([id]) => id)).toEqual([
      'qty',
      'a.b',
    ]);
  });
});

const SCHEMA: Schema = {
  set: '850',
  code_lists: {},
  positions: [
    {
      path: 'BEG',
      segment: 'BEG',
      requirement: 'M',
      max: 1,
      label: 'header',
      elements: [{ position: 3, type: 'AN', requirement: 'M', label: 'number' }],
    },
    {
      path: 'PO1/PO1',
      segment: 'PO1',
      requirement: 'M',
      max: 1,
      label: null,
      loop: { id: 'PO1', requirement: 'M', max: 100000 },
      elements: [{ position: 2, type: 'R', requirement: 'O', label: 'quantity' }],
    },
  ],
};

describe('targetSampleFault', () => {
  it.each([
    ['json', '{"a":1}', null],
    ['json', ' ', null],
    ['json', '7', 'The sample must be a JSON object or array.'],
    ['xml', '<a><b></a>', 'Not XML, line 1: </a> has no start tag.'],
    ['xml', '<a>\n<b/>', 'Not XML: the end is missing.'],
    ['xml', '<!DOCTYPE a><a/>', 'Not XML, line 1: this is not XML.'],
    ['xml', '<a/><b/>', 'Not XML, line 1: a document can have only one root.'],
    ['xml', 'x<a/>', 'Not XML, line 1: there is text outside the root.'],
    ['csv', '\n', null],
    ['x12', 'anything', null],
  ] as const)('of %s %j is %s', (format, sample, fault) => {
    expect(targetSampleFault(format, sample)).toBe(fault);
  });

  it('names what is no JSON, and what nests without end', () => {
    expect(targetSampleFault('json', '{')).toMatch(/^Not JSON: /);
    expect(targetSampleFault('json', '['.repeat(500) + ']'.repeat(500))).toBe(
      'Not JSON: it is nested deeper than 64 levels',
    );
    expect(targetSampleFault('xml', '<a>'.repeat(500))).toMatch(/it is nested too deep/);
  });
});

describe('ancestorsOf', () => {
  it.each([
    ['items[*].qty', ['items[*]']],
    ['PO1[*]>PID.05', ['PO1[*]', 'PO1[*]>PID']],
    ['HI.01[2].01', ['HI', 'HI.01[2]']],
    ['m[*][*]', ['m[*]']],
    ['[*].a', ['[*]']],
    ['a\\.b', []],
  ])('of %s are %s', (path, ids) => {
    expect(ancestorsOf(path)).toEqual(ids);
  });
});

describe('TargetFinder', () => {
  const tree: TargetNode[] = targetTree('json', '{"po":1,"items":[{"sku":"a"}]}', [], null);

  it('finds the row of a place', () => {
    const finder = new TargetFinder('json', tree);
    expect(finder.find('items[7].sku')?.id).toBe('items[*].sku');
    expect(finder.find('po')?.id).toBe('po');
    expect(finder.find('items.none')).toBeNull();
  });

  it('finds a column by any of its rows, however it is escaped', () => {
    const finder = new TargetFinder('csv', targetTree('csv', 'a.b,qty\n', [], null));
    expect(finder.find('row[3]/qty')?.id).toBe('qty');
    expect(finder.find('a.b')?.id).toBe('a\\.b');
  });

  it('gathers the rules of each row in their order', () => {
    const rules = [to('po'), to('items[1].sku'), to('po'), to('nowhere')];
    expect(rulesByTarget('json', tree, rules)).toEqual(
      new Map([
        ['po', [0, 2]],
        ['items[*].sku', [1]],
      ]),
    );
  });
});
