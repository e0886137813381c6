import { expect, test } from 'vitest';
import {
  beginsLine,
  lineParts,
  linesOf,
  MAX_CHARS_A_PIECE,
  pieceOf,
  separatorsOf,
} from './segments';

const ISA =
  'ISA*00*          *00*          *ZZ*QUILLMARK      *ZZ*BRINDLEWOOD    *260302*0915*^*00501*000000417*0*T*>~';

function shown(text: string, terminator: string): string[] {
  const lines = linesOf(text, terminator);
  return Array.from(lines.starts, (_, index) => pieceOf(lines, index));
}

test('separators are those of the ISA', () => {
  expect(separatorsOf(`\r\n${ISA}GS*PO~`)).toEqual({
    element: '*',
    repetition: '^',
    component: '>',
    segment: '~',
  });
  expect(separatorsOf(ISA.replace('*^*', '*U*'))?.repetition).toBe('');
});

test('a fragment shows its separators in its first segment', () => {
  expect(separatorsOf('ST|850|0001\nBEG|00')).toEqual({
    element: '|',
    repetition: '',
    component: '',
    segment: '\n',
  });
  expect(separatorsOf('ST*850*0001~SE*2*0001~')?.segment).toBe('~');
  expect(separatorsOf('{"a":1}')).toBeNull();
  expect(separatorsOf('')).toBeNull();
});

test('a segment is a line, with or without line ends after it', () => {
  expect(shown('ST*850~\r\nBEG*00~SE*2~\n', '~')).toEqual(['ST*850~', 'BEG*00~', 'SE*2~']);
  expect(shown('ST*850\nBEG*00\n', '\n')).toEqual(['ST*850', 'BEG*00']);
});

test('without a terminator the lines are those of the text', () => {
  expect(shown('{\n\n  1\r\n}', '')).toEqual(['{', '', '  1', '}']);
  expect(shown('', '')).toEqual(['']);
});

test('no character is lost but line ends', () => {
  const text = `${ISA}GS*PO~\r\nST*850*0001~x`;
  expect(shown(text, '~').join('')).toBe(text.replace('\r\n', ''));
});

test('a long line is cut, not within a pair of surrogates, and keeps its number', () => {
  const text = `${'a'.repeat(MAX_CHARS_A_PIECE - 1)}\ud83d\ude00bc\nd`;
  const lines = linesOf(text, '');
  expect(Array.from(lines.numbers)).toEqual([1, 1, 2]);
  expect([0, 1, 2].map((index) => beginsLine(lines, index))).toEqual([true, false, true]);
  expect(pieceOf(lines, 1)).toBe('bc');
  expect(lines.longest).toBe(MAX_CHARS_A_PIECE + 1);
});

test('parts join to the piece, separators and tag told apart', () => {
  const separators = { element: '*', segment: '~', component: '>', repetition: '' };
  expect(lineParts('REF*A>B~', separators, true)).toEqual([
    { kind: 'tag', text: 'REF' },
    { kind: 'separator', text: '*' },
    { kind: 'text', text: 'A' },
    { kind: 'separator', text: '>' },
    { kind: 'text', text: 'B' },
    { kind: 'separator', text: '~' },
  ]);
  expect(lineParts('rest', separators, false)).toEqual([{ kind: 'text', text: 'rest' }]);
});
