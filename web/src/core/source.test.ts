import { describe, expect, it } from 'vitest';
import claimPaths from './fixtures/837.paths.txt?raw';
import orderPaths from './fixtures/850.paths.txt?raw';
import shipmentPaths from './fixtures/856.paths.txt?raw';
import csvPaths from './fixtures/csv.paths.txt?raw';
import { claim, csv, json, order, shipment, xml } from './fixtures/inspected';
import jsonPaths from './fixtures/json.paths.txt?raw';
import xmlPaths from './fixtures/xml.paths.txt?raw';
import type { InspectResult, Schema, SourceNode } from './model';
import { addedBranch, allRows, byPath, instanceCount, sampleValue, sourceTree } from './source';

/** Each path with its sample values. The files were compared with what the engine makes of them. */
function listed(inspect: InspectResult): string {
  const rows = [...allRows(sourceTree(inspect, null))].filter(({ path }) => path !== null);
  return rows.map(({ path, values }) => [path, ...values].join('\t')).join('\n');
}

function row(inspect: InspectResult, path: string, schema: Schema | null = null): SourceNode {
  const found = byPath(sourceTree(inspect, schema)).get(path);
  if (found === undefined) {
    throw new Error(`no row ${path}`);
  }
  return found;
}

describe('sourceTree', () => {
  it.each([
    ['850', order, orderPaths],
    ['856', shipment, shipmentPaths],
    ['837', claim, claimPaths],
    ['JSON', json, jsonPaths],
    ['XML', xml, xmlPaths],
    ['CSV', csv, csvPaths],
  ])('names each value of an %s by a path that yields it', (_, inspect, expected) => {
    expect(listed(inspect)).toBe(expected.replace(/\n$/, ''));
  });

  it('offers no path for a member without a name, since no path can say it', () => {
    const member = (path: string, code: string, value: string | null) => ({
      path,
      code,
      kind: 'member' as const,
      name: '',
      type: 'string',
      value,
      required: false,
      count: 1,
      qualifier: null,
      children: [],
    });
    const members = [member('a', 'a', '1'), member('.b', 'b', 'x'), member('a..c', 'c', 'y')];
    const tree = [{ ...member('', '', null), kind: 'object' as const, children: members }];
    expect(listed({ ...json, tree })).toBe('a\t1');
  });

  it('has a branch for each code, and one for all', () => {
    const parties = sourceTree(order, null).find((node) => node.code === 'N1');
    expect(parties?.children.map(({ code, name, count }) => [code, name, count])).toEqual([
      ['BT', 'Bill to', 1],
      ['ST', 'Ship to', 1],
      ['any', 'Any', 2],
    ]);
    expect(parties?.children[1]?.children.map(({ path }) => path)).toContain('N1[01=ST].02');
    expect(row(order, 'N1[01=ST]>N4.01').values).toEqual(['Peoria']);
  });

  it('leaves an instance without a value empty, so that values stay in step', () => {
    const text = row(order, 'PO1[*]>PID.05');
    expect(text.values).toEqual(['Blue widget', '', 'Red widget']);
    expect(text.keys).toEqual(['PID.05', '', 'PID[2].05']);
    expect(text.loops).toEqual(['PO1[*]']);
  });

  it('nests levels by their codes, without the one around all', () => {
    const upc = row(shipment, 'HL[03=O][*]>HL[03=P][*]>HL[03=I][*]>LIN.03');
    expect(upc.bindings).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
    ]);
  });

  it('puts the envelope under one row', () => {
    const [envelope, ...others] = sourceTree(order, null);
    expect(envelope?.name).toBe('ISA · GS · ST · SE · GE · IEA');
    expect(others.some((node) => node.envelope)).toBe(false);
    expect(row(order, 'ISA.06').values).toEqual(['ACMERETAIL']);
  });

  it('adds what a schema knows and the sample lacks', () => {
    const schema: Schema = { set: '850', code_lists: {}, positions: [BEG, CUR] };
    const tree = sourceTree(order, schema);
    expect(tree.slice(1, 3).map(({ code }) => code)).toEqual(['BEG', 'CUR']);
    expect(row(order, 'BEG.03', schema)).toMatchObject({ values: ['PO-4711'], required: true });
    expect(row(order, 'CUR.02', schema)).toMatchObject({
      values: [''],
      name: 'Currency',
      count: 0,
    });
  });

  it('names segments by their keys where no definition says where loops end', () => {
    const unknown = { ...shipment, definition: 'none', tree: withSet(shipment) };
    const paths = [...byPath(sourceTree(unknown, null)).keys()];
    expect(paths).toContain('REF[2].02');
    expect(paths.some((path) => path.startsWith(':'))).toBe(false);
  });
});

/** The tree with a reference in the set itself as well. */
function withSet(inspect: InspectResult): InspectResult['tree'] {
  const reference = {
    ...(inspect.tree[0] ?? fail()),
    path: 'REF[2]',
    code: 'REF',
    kind: 'segment',
    children: [{ ...(inspect.tree[0]?.children[0] ?? fail()), path: 'REF[2].02', value: 'X' }],
  };
  return inspect.tree.map((node) =>
    node.kind === 'set' ? { ...node, children: [...node.children, reference] } : node,
  );
}

function fail(): never {
  throw new Error('the fixture has no such node');
}

const BEG = {
  path: 'BEG',
  segment: 'BEG',
  requirement: 'M',
  max: 1,
  label: 'header',
  elements: [{ position: 3, type: 'AN', requirement: 'M', label: 'purchase_order_number' }],
};

const CUR = {
  path: 'CUR',
  segment: 'CUR',
  requirement: 'O',
  max: 1,
  label: null,
  elements: [
    { position: 2, type: 'ID', requirement: 'M', label: 'currency' },
    { position: 3, type: 'R', requirement: 'N', label: null },
  ],
};

describe('sampleValue', () => {
  it('shows the instance that is chosen of each loop', () => {
    const shown = new Map([
      ['HL[03=O][*]', 0],
      ['HL[03=O][*]>HL[03=P][*]', 1],
    ]);
    const upc = row(shipment, 'HL[03=O][*]>HL[03=P][*]>HL[03=I][*]>LIN.03');
    expect(sampleValue(upc, shown)).toBe('012345678912');
    expect(sampleValue(row(order, 'PO1[*]>PID.05'), new Map([['PO1[*]', 1]]))).toBe('');
  });

  it('counts the instances inside those that are shown', () => {
    const packs = [...allRows(sourceTree(shipment, null))].find(({ code }) => code === 'P');
    const count = (order: number) =>
      instanceCount(packs ?? fail(), new Map([['HL[03=O][*]', order]]));
    expect([count(0), count(1)]).toEqual([2, 1]);
  });
});

describe('addedBranch', () => {
  it('writes the condition of a code that the sample lacks', () => {
    const parties = sourceTree(order, null).find((node) => node.code === 'N1') ?? fail();
    const paths = [...allRows([addedBranch(parties, 'SF') ?? fail()])].map(({ path }) => path);
    expect(paths).toContain('N1[01=SF].02');
    expect(paths).toContain('N1[01=SF]>N4.01');
  });

  it('is not possible for a segment without a code', () => {
    const header = sourceTree(order, null).find((node) => node.code === 'BEG') ?? fail();
    expect(addedBranch(header, 'SF')).toBeNull();
  });
});
