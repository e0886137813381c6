import { describe, expect, test } from 'vitest';
import { rowsOf } from './editedText';
import { type Complained, fateInWords, fatesOf, rowAt, stateInWords } from './rejectedPlaces';

const MARKS = { element: '*', segment: '~', component: '>', repetition: '^' };
const TEXT = 'ST*850*0001~\nPO1*1*5*EA*9**XX*AB>CD^EF>GH~\nPO1*2*5*EA*9**VP*EF~\nSE*4*0001~\n';
const complaint = (element: number | null, more: Partial<Complained> = {}): Complained => ({
  ...{ segment_id: 'PO1', our_path: 'PO1', element_position: element },
  ...{ component_position: null, repeat: null, ...more },
});
const words = (after: string, of: Complained, row = 1) =>
  fatesOf(TEXT, after, [{ row, complaint: of }], MARKS).map((fate) =>
    fate === null ? '' : fateInWords(fate),
  );
const changed = (wrong: string, right: string) => TEXT.replace(wrong, right);

describe('a rejected value', () => {
  test.each([
    ['as it was', TEXT, 'Still as it was rejected'],
    ['changed', changed('XX', 'UP'), 'Changed to UP'],
    ['emptied', changed('XX', ''), 'Emptied'],
    ['beside another change', changed('PO1*1*5', 'PO1*1*6'), 'Still as it was rejected'],
    ['behind new segments', changed('PO1*1', 'REF*DP*1~\nPO1*1'), 'Still as it was rejected'],
    [
      'changed among new ones',
      changed('PO1*1*5*EA*9**XX', 'N1*ST~\nPO1*1*5*EA*9**UP'),
      'Changed to UP',
    ],
    ['taken out', changed('PO1*1*5*EA*9**XX*AB>CD^EF>GH~\n', ''), 'Taken out'],
  ])('%s', (_case, after, said) => {
    expect(words(after, complaint(6))).toEqual([said]);
  });

  test('may be a repetition or a component of an element, or one that the segment lacks', () => {
    const component = complaint(7, { repeat: 2, component_position: 2 });
    expect(words(TEXT.replace('GH', 'IJ'), component)).toEqual(['Changed to IJ']);
    expect(words(TEXT.replace('CD', 'IJ'), component)).toEqual(['Still as it was rejected']);
    expect(words(TEXT.replace('VP*EF', 'VP*EF**X'), complaint(9), 2)).toEqual(['Changed to X']);
  });

  test('stands where it can be selected', () => {
    const after = TEXT.replace('ST', 'REF*1~\nST');
    const [fate] = fatesOf(TEXT, after, [{ row: 1, complaint: complaint(6) }], MARKS);
    expect(fate).toMatchObject({ kind: 'same', start: after.indexOf('XX'), value: 'XX' });
  });
});

describe('a rejected segment', () => {
  test('is followed as a whole', () => {
    expect(words(TEXT, complaint(null))).toEqual(['Still as it was rejected']);
    expect(words(changed('XX', 'UP'), complaint(null))).toEqual(['Changed']);
  });

  test('that the partner misses is there as soon as it was added', () => {
    const missing = complaint(null, { segment_id: 'CTT', our_path: '' });
    expect(words(TEXT, missing, 3)).toEqual(['Still as it was rejected']);
    expect(words(TEXT.replace('SE', 'CTT*2~\nSE'), missing, 3)).toEqual(['Added']);
    expect(words('', missing, 3)).toEqual(['Still as it was rejected']);
  });
});

test('of the ISA an element is a whole, as it names the other separators', () => {
  const isa = 'ISA*00*a^b>c*>~';
  const place = { row: 0, complaint: complaint(2, { segment_id: 'ISA', component_position: 1 }) };
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
    'Validation runs.',
    'Validation finds nothing wrong.',
    '1 rejected place stands as before. By the standard nothing is wrong.',
    '2 rejected places stand as before. Validation finds 1 error.',
    '1 of 2 rejected places stands as before. By the standard nothing is wrong.',
    'Everything that was rejected is changed. By the standard nothing is wrong.',
  ]);
});

test('what was not checked is never said to be right', () => {
  const done = { fates: [], errors: 0 };
  expect(stateInWords({ ...done, outcome: 'valid' })).toBe('Validation finds nothing wrong.');
  expect(stateInWords({ ...done, outcome: 'not_checked' })).toBe('Validation could not check it.');
  expect(stateInWords({ ...done, unchecked: ['235'] })).toBe(
    'Validation finds nothing wrong. Code list of element 235 not checked.',
  );
  expect(stateInWords({ fates: [], errors: null, unchecked: ['235'] })).toBe('Validation runs.');
});
