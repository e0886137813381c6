import { describe, expect, test } from 'vitest';
import { partsOfPair, sideBySide } from './sideBySide';

const shown = (before: string, after: string) =>
  sideBySide(before.split(' '), after.split(' ')).map(
    (row) => `${row.before ?? ''}${row.isChanged ? '|' : '='}${row.after ?? ''}`,
  );

describe('rows', () => {
  test('changed lines stand beside each other, others beside themselves', () => {
    expect(shown('ST PO1*XX SE', 'ST PO1*UP SE')).toEqual(['ST=ST', 'PO1*XX|PO1*UP', 'SE=SE']);
  });

  test('a line that only one side has stands alone', () => {
    expect(shown('a b', 'a b c')).toEqual(['a=a', 'b=b', '|c']);
    expect(shown('a x b', 'a b')).toEqual(['a=a', 'x|', 'b=b']);
  });

  test('a changed line goes with the one that it was made of, not with a new one before it', () => {
    expect(shown('PO1*1*XX SE', 'REF*DP PO1*9*UP PO1*1*UP SE')).toEqual([
      ...['|REF*DP', '|PO1*9*UP', 'PO1*1*XX|PO1*1*UP', 'SE=SE'],
    ]);
    expect(shown('PO1*1*XX PO1*2*VP', 'PO1*2*UP')).toEqual(['PO1*1*XX|', 'PO1*2*VP|PO1*2*UP']);
  });

  test('more than can be compared is paired in its order', () => {
    const many = (value: string) => Array.from({ length: 101 }, (_, at) => `N${at}*${value}`);
    const rows = sideBySide(many('a'), [...many('b'), 'SE']);
    expect(rows).toHaveLength(102);
    expect(rows[100]).toEqual({ before: 'N100*a', after: 'N100*b', isChanged: true });
    expect(rows[101]).toEqual({ before: null, after: 'SE', isChanged: true });
  });
});

describe('parts of a line', () => {
  const marked = (line: string, other: string, element = '*') =>
    partsOfPair(line, other, element, '~')
      .map(({ text, isChanged }) => (isChanged ? `[${text}]` : text))
      .join('');

  test('are marked by their place, and neither separators nor the terminator are', () => {
    expect(marked('PO1*1**XX*AB~', 'PO1*1*5*UP*AB~')).toBe('PO1*1*[]*[XX]*AB~');
    expect(marked('CTT*1~', 'CTT*1*2~')).toBe('CTT*1~');
    expect(marked('CTT*1*2~', 'CTT*1~')).toBe('CTT*1*[2]~');
  });

  test('are the whole line where there are too many', () => {
    const many = (value: string) => `PO1${`*${value}`.repeat(300)}~`;
    expect(partsOfPair(many('a'), many('b'), '*', '~')).toEqual([
      { text: many('a'), isChanged: true },
    ]);
  });

  test('are the whole line where nothing separates elements', () => {
    expect(marked('Dear Sir', 'Dear Madam', '')).toBe('[Dear Sir]');
  });
});
