import { describe, expect, test } from 'vitest';
import { rowsOf } from './editedText';
import { fateInWords, fatesOf, type RejectedElement, rowAt, stateInWords } from './rejectedPlaces';

const MARKS = { element: '*', segment: '~', component: '>', repetition: '^' };
const TEXT = 'ST*850*0001~\nPO1*1*5*EA*9**XX*AB>CD^EF>GH~\nPO1*2*5*EA*9**VP*EF~\nSE*4*0001~\n';
const ackError = (
  element: number | null,
  more: Partial<RejectedElement> = {},
): RejectedElement => ({
  ...{ segment_id: 'PO1', our_path: 'PO1', element_position: element },
  ...{ component_position: null, repeat: null, ...more },
});
const words = (after: string, of: RejectedElement, row = 1) =>
  fatesOf(TEXT, after, [{ row, ackError: of }], MARKS).map((fate) =>
    fate === null ? '' : fateInWords(fate),
  );
const changed = (wrong: string, right: string) => TEXT.replace(wrong, right);

describe('a rejected value', () => {
  test.each([
    ['as it was', TEXT, 'Unchanged since the rejection'],
    ['changed', changed('XX', 'UP'), 'Changed to UP'],
    ['emptied', changed('XX', ''), 'Cleared'],
    ['beside another change', changed('PO1*1*5', 'PO1*1*6'), 'Unchanged since the rejection'],
    ['behind new segments', changed('PO1*1', 'REF*DP*1~\nPO1*1'), 'Unchanged since the rejection'],
    [
      'changed among new ones',
      changed('PO1*1*5*EA*9**XX', 'N1*ST~\nPO1*1*5*EA*9**UP'),
      'Changed to UP',
    ],
    ['taken out', changed('PO1*1*5*EA*9**XX*AB>CD^EF>GH~\n', ''), 'Removed'],
  ])('%s', (_case, after, said) => {
    expect(words(after, ackError(6))).toEqual([said]);
  });

  test('may be a repetition or a component of an element, or one that the segment lacks', () => {
    const component = ackError(7, { repeat: 2, component_position: 2 });
    expect(words(TEXT.replace('GH', 'IJ'), component)).toEqual(['Changed to IJ']);
    expect(words(TEXT.replace('CD', 'IJ'), component)).toEqual(['Unchanged since the rejection']);
    expect(words(TEXT.replace('VP*EF', 'VP*EF**X'), ackError(9), 2)).toEqual(['Changed to X']);
  });

  test('stands where it can be selected', () => {
    const after = TEXT.replace('ST', 'REF*1~\nST');
    const [fate] = fatesOf(TEXT, after, [{ row: 1, ackError: ackError(6) }], MARKS);
    expect(fate).toMatchObject({ kind: 'same', start: after.indexOf('XX'), value: 'XX' });
  });
});

describe('a rejected segment', () => {
  test('is followed as a whole', () => {
    expect(words(TEXT, ackError(null))).toEqual(['Unchanged since the rejection']);
    expect(words(changed('XX', 'UP'), ackError(null))).toEqual(['Changed']);
  });

  test('that the partner misses is there as soon as it was added', () => {
    const missing = ackError(null, { segment_id: 'CTT', our_path: '' });
    expect(words(TEXT, missing, 3)).toEqual(['Unchanged since the rejection']);
    expect(words(TEXT.replace('SE', 'CTT*2~\nSE'), missing, 3)).toEqual(['Added']);
    expect(words('', missing, 3)).toEqual(['Unchanged since the rejection']);
  });
});

test('of the ISA an element is a whole, as it names the other separators', () => {
  const isa = 'ISA*00*a^b>c*>~';
  const place = { row: 0, ackError: ackError(2, { segment_id: 'ISA', component_position: 1 }) };
  expect(fatesOf(isa, isa, [place, null], MARKS)).toMatchObject([{ value: 'a^b>c' }, null]);
  expect(fatesOf(isa, isa, [null], MARKS)).toEqual([null]);
});

test('a character belongs to the segment that begins before it', () => {
  const rows = rowsOf(TEXT, '~');
  expect([0, TEXT.indexOf('XX'), TEXT.length].map((at) => rowAt(rows, at))).toEqual([0, 1, 3]);
  expect(rowAt([], 5)).toBe(-1);
});

test('how far the correction is stands in one line', () => {
  const same = { kind: 'same', value: 'XX', start: 0, end: 2, isSegment: false } as const;
  const gone = { kind: 'gone' } as const;
  expect([
    stateInWords({ fates: [], errors: null }),
    stateInWords({ fates: [null], errors: 0 }),
    stateInWords({ fates: [same], errors: 0 }),
    stateInWords({ fates: [same, same], errors: 1 }),
    stateInWords({ fates: [same, gone], errors: 0 }),
    stateInWords({ fates: [gone, null], errors: 0 }),
  ]).toEqual([
    'Validating.',
    'Validation finds no errors.',
    '1 rejected place is unchanged. It is valid against the standard.',
    '2 rejected places are unchanged. Validation finds 1 error.',
    '1 of 2 rejected places is unchanged. It is valid against the standard.',
    'All rejected places have been changed. It is valid against the standard.',
  ]);
});

test('what was not checked is never said to be right', () => {
  const done = { fates: [], errors: 0 };
  expect(stateInWords({ ...done, outcome: 'valid' })).toBe('Validation finds no errors.');
  expect(stateInWords({ ...done, outcome: 'not_checked' })).toBe('Validation could not check it.');
  expect(stateInWords({ ...done, unchecked: ['235'] })).toBe(
    'Validation finds no errors. Code list of element 235 not checked.',
  );
  expect(stateInWords({ fates: [], errors: null, unchecked: ['235'] })).toBe('Validating.');
});
