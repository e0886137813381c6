import { expect, test } from 'vitest';
import { decodeFile, MAX_BYTES, sizeInWords, sizeRefusal, textRefusal } from './textFile';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('UTF-8 is read as such, with and without a byte order mark', () => {
  expect(decodeFile(bytesOf('N1*ST*Café~'))).toEqual({
    kind: 'text',
    text: 'N1*ST*Café~',
    encoding: 'utf-8',
  });
  expect(decodeFile(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toMatchObject({ text: 'A' });
});

test('what is no UTF-8 is read as Windows-1252', () => {
  expect(decodeFile(Uint8Array.of(0x43, 0x61, 0x66, 0xe9, 0x80))).toMatchObject({
    text: 'Café€',
    encoding: 'windows-1252',
  });
});

test('UTF-16 is known by its mark', () => {
  const little = Uint8Array.of(0xff, 0xfe, 0x49, 0, 0x53, 0);
  const big = Uint8Array.of(0xfe, 0xff, 0, 0x49, 0, 0x53);
  expect([decodeFile(little), decodeFile(big)].map((each) => 'text' in each && each.text)).toEqual([
    'IS',
    'IS',
  ]);
});

test('separators that are controls are text, and so is a stray NUL', () => {
  expect(decodeFile(bytesOf('ISA\u001d00\u001c'.repeat(9))).kind).toBe('text');
  expect(decodeFile(bytesOf(`a\u0000${'b'.repeat(40)}`)).kind).toBe('text');
});

test('other bytes and an empty file are refused', () => {
  const image = Uint8Array.from({ length: 400 }, (_, at) => at % 32);
  expect(decodeFile(image)).toMatchObject({ kind: 'refused' });
  expect(decodeFile(new Uint8Array())).toEqual({ kind: 'refused', reason: 'The file is empty.' });
});

test('sizes in words', () => {
  expect([0, 1, 1023, 1434, 5_242_880].map(sizeInWords)).toEqual([
    '0 bytes',
    '1 byte',
    '1023 bytes',
    '1.4 KiB',
    '5.0 MiB',
  ]);
});

test('a document over the limit is refused, one at the limit is not', () => {
  expect(sizeRefusal(MAX_BYTES)).toBeNull();
  expect(sizeRefusal(MAX_BYTES * 2)).toBe(
    'The document has 64.0 MiB; the limit is 32.0 MiB. Split it into parts.',
  );
});

test('a text is refused if empty or if its request would be too long', () => {
  expect(textRefusal(' \n')).toBe('The document is empty.');
  expect(textRefusal('ISA')).toBeNull();
  expect(textRefusal('a'.repeat(6_000_000))).toBeNull();
  expect(textRefusal('\u0000'.repeat(6_000_000))).toBe(
    'The document has 34.3 MiB; the limit is 32.0 MiB. Split it into parts.',
  );
});
