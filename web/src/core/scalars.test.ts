import { expect, test } from 'vitest';
import type { Rule } from './model';
import { kindOf, kindPatch, typedPatch, typedText } from './scalars';

const FIVE: Rule = { const: 5, type: 'raw', tgt: 'five' };

test('the kinds of literals, and what is typed of them', () => {
  const all = [undefined, null, '', 'a', 0, 1.5, true, false];
  expect(all.map(kindOf)).toEqual([
    'none',
    'null',
    'text',
    'text',
    'number',
    'number',
    'true',
    'false',
  ]);
  expect(all.map(typedText)).toEqual(['', null, '', 'a', '0', '1.5', null, null]);
});

test('a number stays a number while the text reads as one', () => {
  expect(typedPatch(FIVE, 'const', '6')).toEqual({ const: 6 });
  expect(typedPatch(FIVE, 'const', ' -0.5 ')).toEqual({ const: -0.5 });
  for (const text of ['six', '', '06', '0x6', 'null', '"6"', '6,5', '١']) {
    expect(typedPatch(FIVE, 'const', text)).toEqual({ const: text });
  }
  expect(typedPatch({ src: 'a', default: 7, tgt: 'b' }, 'default', '8')).toEqual({ default: 8 });
});

test('digits that a number would lose are kept', () => {
  expect(typedPatch(FIVE, 'const', '6.50')).toEqual({ const: '6.50', type: 'number' });
  expect(typedPatch({ const: 5, tgt: 'five' }, 'const', '6.50')).toEqual({ const: '6.50' });
});

test('a text stays a text whatever it reads as', () => {
  expect(typedPatch({ const: '5', tgt: 'five' }, 'const', '6')).toEqual({ const: '6' });
  expect(typedPatch({ const: '5', tgt: 'five' }, 'const', '')).toEqual({ const: '' });
});

test('a default that is emptied goes, and an empty text is chosen by its kind', () => {
  const rule: Rule = { src: 'a', default: 'x', tgt: 'b' };
  expect(typedPatch(rule, 'default', '')).toEqual({ default: undefined });
  expect(kindPatch({ src: 'a', tgt: 'b' }, 'default', 'text')).toEqual({ default: '' });
  expect(kindPatch(rule, 'default', 'none')).toEqual({ default: undefined });
});

test('another kind keeps what can be kept', () => {
  expect(kindPatch(FIVE, 'const', 'text')).toEqual({ const: '5' });
  expect(kindPatch({ const: '12', tgt: 'a' }, 'const', 'number')).toEqual({ const: 12 });
  expect(kindPatch({ const: 'twelve', tgt: 'a' }, 'const', 'number')).toEqual({ const: 0 });
  expect(kindPatch({ const: true, tgt: 'a' }, 'const', 'number')).toEqual({ const: 0 });
  expect(kindPatch(FIVE, 'const', 'true')).toEqual({ const: true });
  expect(kindPatch(FIVE, 'const', 'false')).toEqual({ const: false });
  expect(kindPatch(FIVE, 'const', 'null')).toEqual({ const: null });
});
