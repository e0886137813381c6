import { expect, test } from 'vitest';
import { separatorName, visibleParts, visibleText } from './visible';

test('a text without hidden characters is one part', () => {
  expect(visibleParts('PO-1 <b>é')).toEqual([{ text: 'PO-1 <b>é', hidden: false }]);
  expect(visibleParts('')).toEqual([{ text: '', hidden: false }]);
});

test('controls and direction marks are named in their place', () => {
  expect(visibleParts('a\u0000b\u202ec')).toEqual([
    { text: 'a', hidden: false },
    { text: 'NUL', hidden: true },
    { text: 'b', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'c', hidden: false },
  ]);
});

test('half of a surrogate pair is named and a whole one is left', () => {
  expect(visibleText('\ud83d')).toBe('[U+D83D]');
  expect(visibleText('\udca9x')).toBe('[U+DCA9]x');
  expect(visibleText('\ud83d\ude00')).toBe('\ud83d\ude00');
});

test('every control but the tab is named', () => {
  const all = Array.from({ length: 160 }, (_, code) => String.fromCharCode(code));
  const controls = all.filter((each) => each < ' ' || each > '~');
  expect(controls.filter((each) => visibleParts(each).every(({ hidden }) => !hidden))).toEqual([
    '\t',
  ]);
});

test('a text on one line has no line ends', () => {
  expect(visibleText('a\r\nb\tc\u007f')).toBe('a[CR][LF]b c[U+007F]');
});

test('a mark outside the basic plane is one character', () => {
  expect(visibleText('\u{e0001}a')).toBe('[U+E0001]a');
});

test('a separator has a name where it cannot be seen', () => {
  expect(['*', '\n', '\r\n', '\t', '\u001c', ' '].map(separatorName)).toEqual([
    '*',
    'line feed',
    'carriage return and line feed',
    'tab',
    'FS',
    'space',
  ]);
});
