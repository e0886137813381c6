import { describe, expect, it } from 'vitest';
import {
  bareTarget,
  conditionValue,
  escapeName,
  firstPlace,
  fitsTarget,
  lastStep,
  leadOf,
  loopsOf,
  narrowed,
  pathInWords,
  shortPath,
  targetPattern,
  targetSteps,
  unescapeName,
} from './paths';

describe('loopsOf', () => {
  it.each([
    ['BEG.03', []],
    ['PO1[*]>PID[*].05', ['PO1[*]', 'PO1[*]>PID[*]']],
    [
      'ST[*]/N1[01=ST|BT][*].04',
      ['ST[*]/', 'ST[*]/N1[01=ST|BT][*]'].map((each) => each.replace(/\/$/, '')),
    ],
    ["N1[01='[*]'][*].02", ["N1[01='[*]'][*]"]],
    ['N1[01=\\][*].02', ['N1[01=\\][*]']],
    ['a\\[*\\].b[*]', ['a\\[*\\].b[*]']],
    ['lines[*][*]', ['lines[*]', 'lines[*][*]']],
  ])('finds the wildcards of %s', (path, loops) => {
    expect(loopsOf(path)).toEqual(loops);
  });
});

describe('narrowed', () => {
  it.each([
    ['x12', 'PO1[*]>PID[*].05', 1, 'first', 'PO1[*]>PID.05'],
    ['x12', 'PO1[*]>PID[*].05', 0, 'last', 'PO1[-1]>PID[-1].05'],
    ['json', 'lines[*].sku', 0, 'first', 'lines[0].sku'],
    ['xml', 'Order.Line[*].Q', 0, 'first', 'Order.Line.Q'],
    ['csv', 'row[*]/sku', 0, 'first', 'sku'],
    ['csv', 'row[*]/sku', 0, 'last', 'row[-1]/sku'],
  ] as const)('of %s %s keeps %i wildcards, then the %s', (format, path, keep, which, expected) => {
    expect(narrowed(path, format, keep, which)).toBe(expected);
  });

  it('of a target gives the first place', () => {
    expect(firstPlace('items[*].subs[*].x', 'json', 1)).toBe('items[*].subs[0].x');
    expect(firstPlace('PO1[*].02', 'x12', 0)).toBe('PO1.02');
  });
});

describe('targets', () => {
  it('have steps, escapes kept in their names', () => {
    expect(targetSteps('a\\.b[0].c\\\\.d')).toEqual([
      { name: 'a\\.b', indexes: ['0'] },
      { name: 'c\\\\', indexes: [] },
      { name: 'd', indexes: [] },
    ]);
  });

  it.each([
    ['items[*].qty', 'items[1].qty', true],
    ['items[*].qty', 'items[1].sku', false],
    ['PO1[*].02', 'PO1.02', true],
    ['tags[*]', 'tags', true],
    ['a[*].b[0]', 'a[2].b[1]', false],
    ['a.b', 'a[0].b', false],
  ])('%s takes %s: %s', (pattern, tgt, isFit) => {
    expect(fitsTarget(pattern, tgt)).toBe(isFit);
  });

  it('are told by their pattern, and without any index', () => {
    expect(targetPattern('items[1].subs[0].x')).toBe('items[*].subs[*].x');
    expect(bareTarget('items[1].subs[*].x')).toBe('items.subs.x');
    expect(targetPattern('po')).toBe('po');
  });
});

describe('words', () => {
  it.each([
    ['BEG.03', 'BEG.03'],
    ['N1[01=ST].02', 'N1.02 if 01=ST'],
    ['N1[01=ST]>N4.01', 'N4.01 if N1.01=ST'],
    ['PO1[*]:REF[01=VN].02', 'REF.02 if 01=VN'],
    ['PO1[2].02', 'PO1[2].02'],
    ['lines[type=ship].name', 'lines.name if type=ship'],
  ])('shortPath of %s is %s', (path, short) => {
    expect(shortPath(path)).toBe(short);
  });

  it.each([
    ['PO1[*].02', 'PO1.02, for each PO1'],
    ['N1[01=ST|BT].02', 'N1.02 where N1.01 is ST or BT'],
    ['N1[01!=ST].02', 'N1.02 where N1.01 is not ST'],
    ['PO1[-1].02', 'PO1.02, the last PO1'],
    ['lines[0].sku', 'lines.sku, lines number 0'],
  ])('pathInWords of %s is %s', (path, words) => {
    expect(pathInWords(path)).toBe(words);
  });

  it('lastStep names what a wildcard counts', () => {
    expect(lastStep('PO1[*]>PID[*]')).toBe('PID');
    expect(lastStep('Order.Line[*]')).toBe('Line');
    expect(lastStep('a\\.b')).toBe('a.b');
  });
});

describe('names and values', () => {
  it('are escaped and read back', () => {
    const name = '\\.[]/*>@{a b';
    expect(escapeName(name)).toBe('\\\\\\.\\[\\]\\/\\*\\>\\@\\{a b');
    expect(unescapeName(escapeName(name))).toBe(name);
  });

  it('are quoted only if they have to be', () => {
    expect(conditionValue('ST')).toBe('ST');
    expect(conditionValue("a,b'c")).toBe("'a,b''c'");
  });

  it('of several sources that with most wildcards leads', () => {
    expect(leadOf(['BEG.03', 'PO1[*].02'])).toBe('PO1[*].02');
    expect(leadOf(undefined)).toBe('');
  });
});
