import { expect, test } from 'vitest';
import { markedParts, notesByPiece, pieceAt, placesOf } from './notes';
import { linesOf } from './segments';

const SEPARATORS = { element: '*', segment: '~', component: '>', repetition: '' };
const TEXT = 'ST*850*0001~\nBEG*00*SA~\nSE*3*0001~\n';
const LINES = linesOf(TEXT, '~');

test('a note stands at the segment of its character, a terminator is of its own segment', () => {
  expect(
    ['BEG', '00*SA', '\nBEG', 'SE*3'].map((part) => pieceAt(LINES, TEXT.indexOf(part))),
  ).toEqual([1, 1, 0, 2]);
});

test('notes without a place or behind the text are left out', () => {
  const notes = [{ offset: null }, { offset: 999 }, { offset: TEXT.indexOf('SA') }];
  expect([...notesByPiece(LINES, notes)]).toEqual([[1, [{ offset: TEXT.indexOf('SA') }]]]);
});

test('the element of a note is marked, no separator is', () => {
  const start = TEXT.indexOf('BEG');
  const offsets = [TEXT.indexOf('SA'), TEXT.indexOf('*00')];
  const parts = markedParts('BEG*00*SA~', start, offsets, SEPARATORS, true);
  expect(parts.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual(['SA']);
});

test('characters outside the basic plane count once', () => {
  const text = 'N1*😀😀*X~';
  expect([3, 4, 5, 6].map((at) => placesOf(text)(at))).toEqual([3, 5, 7, 8]);
  expect(placesOf(TEXT)(6)).toBe(6);
  expect(placesOf(text)(999)).toBe(text.length);
});
