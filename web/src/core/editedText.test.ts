import { describe, expect, test } from 'vitest';
import { forEditing, fromEditing, linesIn, rowsOf } from './editedText';

const ISA =
  'ISA*00*          *00*          *ZZ*ACME           *ZZ*NORTH          *260122*1529*U*00401*000000001*0*T*>~';
const set = (number: string) => `ST*850*${number}~BEG*00*SA*PO-${number}~SE*3*${number}~`;
const whole = (...numbers: string[]) =>
  `${ISA}GS*PO*A*B*20260122*1529*7*X*004010~${numbers.map(set).join('')}GE*${numbers.length}*7~IEA*1*000000001~`;

describe('editing', () => {
  test('puts a segment on a line, and takes back exactly the line ends it added', () => {
    const edited = forEditing(whole('0001'));
    expect(edited.text.split('\n')[3]).toBe('BEG*00*SA*PO-0001~');
    expect(fromEditing(edited)).toBe(whole('0001'));
  });

  test.each([whole('0001').replaceAll('~', '~\r\n'), 'Dear Sir', ''])(
    'leaves a document that has line ends, or is no X12, as it is',
    (content) => {
      expect(forEditing(content)).toEqual({ text: content, terminator: '' });
      expect(fromEditing(forEditing(content))).toBe(content);
    },
  );
});

describe('segments of a text', () => {
  test('have their places, whatever stands between them', () => {
    const found = rowsOf('\r\nST*850~\r\nSE*2~~\n', '~');
    expect(found).toEqual([
      ...[
        { start: 2, text: 'ST*850' },
        { start: 11, text: 'SE*2' },
        { start: 16, text: '' },
      ],
    ]);
    expect(rowsOf('Dear\nSir', '')).toEqual([
      ...[
        { start: 0, text: 'Dear' },
        { start: 5, text: 'Sir' },
      ],
    ]);
  });
});

test('lines to be read are segments with their terminators, of other texts their lines', () => {
  expect(linesIn('ST*850~\r\nSE*2~\r\nrest')).toEqual(['ST*850~', 'SE*2~', 'rest']);
  expect(linesIn('ST*850\nSE*2\n')).toEqual(['ST*850', 'SE*2']);
  expect(linesIn('Dear\r\nSir')).toEqual(['Dear', 'Sir']);
});
