import { describe, expect, it } from 'vitest';
import { lineDiff, replaced, ruleDiff, targetOf, threeWay } from './diff';
import { Random } from './fixtures/random';
import type { Rule } from './model';

const rule = (src: string, tgt: string): Rule => ({ src, tgt });

describe('ruleDiff', () => {
  it('tells added, removed and changed rules', () => {
    const a = [rule('A.01', 'a'), rule('B.01', 'b'), rule('C.01', 'c')];
    const b = [rule('A.01', 'a'), rule('B.02', 'b'), rule('D.01', 'd')];
    expect(ruleDiff(a, b).map(({ mark, tgt }) => mark + tgt)).toEqual(['~b', '-c', '+d']);
  });

  it('takes rules alike in any order of rules and members as the same', () => {
    const a: Rule[] = [{ src: 'A.01', tgt: 'a', note: 'n' }, rule('A.02', 'a')];
    const b: Rule[] = [rule('A.02', 'a'), { note: 'n', tgt: 'a', src: 'A.01' }];
    expect(ruleDiff(a, b)).toEqual([]);
  });

  it('counts rules that are there several times', () => {
    const twice = [rule('A.01', 'a'), rule('A.01', 'a')];
    expect(ruleDiff(twice, twice.slice(1))).toEqual([
      { mark: '-', tgt: 'a', before: rule('A.01', 'a'), after: null },
    ]);
  });
});

describe('threeWay', () => {
  const base = [rule('A.01', 'a'), rule('B.01', 'b'), rule('C.01', 'c')];

  it('joins changes of different targets', () => {
    const mine = [rule('A.02', 'a'), rule('B.01', 'b'), rule('C.01', 'c'), rule('D.01', 'd')];
    const theirs = [rule('A.01', 'a'), rule('B.02', 'b'), rule('E.01', 'e')];
    expect(threeWay(base, mine, theirs, targetOf)).toEqual({
      merged: [rule('A.02', 'a'), rule('B.02', 'b'), rule('D.01', 'd'), rule('E.01', 'e')],
      conflicts: [],
    });
  });

  it('names what both changed in their ways, and has mine until it is resolved', () => {
    const mine = [rule('A.02', 'a'), ...base.slice(1)];
    const theirs = [rule('A.03', 'a'), ...base.slice(1)];
    const { merged, conflicts } = threeWay(base, mine, theirs, targetOf);
    expect(conflicts).toEqual([
      {
        name: 'a',
        base: [rule('A.01', 'a')],
        mine: [rule('A.02', 'a')],
        theirs: [rule('A.03', 'a')],
      },
    ]);
    expect(merged).toEqual(mine);
    expect(conflicts.map((each) => replaced(merged, each.name, each.theirs, targetOf))).toEqual([
      theirs,
    ]);
  });

  it('takes the same change of both as one', () => {
    const both = [rule('A.02', 'a')];
    expect(threeWay(base, both, both, targetOf)).toEqual({ merged: both, conflicts: [] });
  });
});

describe('lineDiff', () => {
  it('keeps what is common', () => {
    expect(lineDiff('a\nb\nc\nd', 'a\nc\nx\nd').map(({ mark, text }) => mark + text)).toEqual([
      ...[' a', '-b', ' c', '+x', ' d'],
    ]);
  });

  it('of 50 random texts gives both texts back', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = new Random(seed);
      const text = () => Array.from({ length: random.below(12) }, () => random.below(4)).join('\n');
      const [a, b] = [text(), text()];
      const changes = lineDiff(a, b);
      const side = (mark: string) => changes.filter((each) => each.mark !== mark);
      expect(
        side('+')
          .map((each) => each.text)
          .join('\n'),
      ).toBe(a);
      expect(
        side('-')
          .map((each) => each.text)
          .join('\n'),
      ).toBe(b);
    }
  });

  it('shows what is too long to compare as removed and added', () => {
    const lines = (from: number) => Array.from({ length: 3000 }, (_, at) => from + at).join('\n');
    const changes = lineDiff(`same\n${lines(0)}`, `same\n${lines(10_000)}`);
    expect(changes.map(({ mark }) => mark).join('')).toBe(
      ` ${'-'.repeat(3000)}${'+'.repeat(3000)}`,
    );
  });
});
