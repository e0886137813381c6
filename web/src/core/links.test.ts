import { describe, expect, it } from 'vitest';
import { type Link, type LinkInput, type LinkPanel, layoutLinks } from './links';

/** Ten rows of 20 px of which those from 2 to 5 are in view. */
function panel(prefix: string, ancestors: [string, string[]][] = []): LinkPanel {
  const rows = new Map(Array.from({ length: 10 }, (_, at) => [`${prefix}${at}`, at]));
  return { rows, ancestors: new Map(ancestors), rowHeight: 20, scrollTop: 40, height: 80 };
}

function layout(links: Link[], more: Partial<LinkInput> = {}) {
  const panels = { left: panel('s', [['deep', ['s3', 's3x']]]), right: panel('t') };
  return layoutLinks({ ...panels, links, selected: new Set(), width: 100, ...more });
}

const link = (source: string, target: string): Link => ({
  key: `${source}>${target}`,
  source,
  target,
});

describe('layoutLinks', () => {
  it('draws a curve between rows in view', () => {
    expect(layout([link('s2', 't4')]).curves).toEqual([
      { key: 's2>t4', d: 'M0 10C50 10 50 50 100 50', thick: false, thin: false, selected: false },
    ]);
  });

  it('draws a stub where one end is out of view, and counts the other', () => {
    const { curves, stubs, counters } = layout([link('s2', 't9'), link('s0', 't3')]);
    expect(curves).toEqual([]);
    expect(stubs).toEqual([
      { key: 's2>t9', d: 'M0 10H14', side: 'left' },
      { key: 's0>t3', d: 'M100 30H86', side: 'right' },
    ]);
    expect(counters.right.below).toEqual({ count: 1, next: 't9' });
    expect(counters.left.above).toEqual({ count: 1, next: 's0' });
  });

  it('names the nearest row out of view', () => {
    const links = ['s0', 's1', 's8', 's7', 's9'].map((source) => link(source, 't3'));
    expect(layout(links).counters.left).toEqual({
      above: { count: 2, next: 's1' },
      below: { count: 3, next: 's7' },
    });
  });

  it('draws a selected link to the edge, last', () => {
    const links = [link('s2', 't9'), link('s3', 't3')];
    const { curves } = layout(links, { selected: new Set(['s2>t9']) });
    expect(curves.map(({ key }) => key)).toEqual(['s3>t3', 's2>t9']);
    expect(curves[1]).toMatchObject({ d: 'M0 10C50 10 50 80 100 80', selected: true });
  });

  it('ends a link at the nearest listed row around, as a thin line', () => {
    expect(layout([link('deep', 't3')]).curves).toMatchObject([
      { d: 'M0 30C50 30 50 30 100 30', thin: true },
    ]);
  });

  it('draws lines with the same ends once', () => {
    const links = [link('deep', 't3'), { ...link('s3', 't3'), thick: true }];
    expect(layout(links).curves).toMatchObject([{ key: 'deep>t3', thick: true, thin: false }]);
  });

  it('leaves out what is not listed at all', () => {
    const { curves, stubs, counters } = layout([link('gone', 't3')]);
    expect([curves, stubs]).toEqual([[], [{ key: 'gone>t3', d: 'M100 30H86', side: 'right' }]]);
    expect(counters.left.above.count + counters.left.below.count).toBe(0);
  });
});
