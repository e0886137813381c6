import { expect, test } from 'vitest';
import {
  type Checked,
  codesWords,
  definitionWords,
  uncheckedAmong,
  unreadWords,
  validationTitle,
} from './checked';

const EXACT: Checked = {
  tx_set: '837',
  version: '005010X223A2',
  definition: 'exact',
  guide: '005010X223A2',
  named_guide: null,
  codes_checked: { enforced: ['98'], not_enforced: ['235', '353'] },
};

test.each([
  [{}, ''],
  [
    { definition: 'standard', guide: null, named_guide: '005010X223A2' },
    'Guide 005010X223A2 was not used: checked against 837 005010 only.',
  ],
  [
    { definition: 'standard', guide: null },
    'Its implementation guide was not used: checked against 837 005010 only.',
  ],
  [
    { definition: 'nearest', tx_set: '850', version: '003060' },
    'Release 003060 of 850 is not known: checked against the nearest release.',
  ],
  [
    { definition: 'none', tx_set: '940', version: '004010' },
    'Set 940 004010 has no definition in the dictionary: only the envelope was checked.',
  ],
  [
    { definition: 'none', tx_set: '', version: '' },
    'This document has no definition in the dictionary: only the envelope was checked.',
  ],
] as const)('what a set was checked against is said: %j', (change, words) => {
  expect(definitionWords({ ...EXACT, ...change })).toBe(words);
});

const TRAILING = { code: 'trailing_data' };

test.each([
  [{}, []],
  [{ outcome: 'valid', sets: [{ outcome: 'valid' }], findings: [{ code: 'id_case' }] }, []],
  [
    { outcome: 'valid', sets: [{ outcome: 'valid' }], findings: [TRAILING] },
    ['Text outside the interchanges was not read.'],
  ],
  [
    { outcome: 'not_checked', sets: [{ outcome: 'valid' }], findings: [TRAILING] },
    [
      'Text outside the interchanges was not read. It may be a document, so not everything here was checked.',
    ],
  ],
  [{ outcome: 'not_checked', sets: [{ outcome: 'not_checked' }] }, []],
  [
    {
      outcome: 'invalid',
      sets: [{ outcome: 'invalid' }],
      findings: [{ code: 'leading_garbage' }, { code: 'set_trailer_missing' }],
    },
    [
      'Text outside the interchanges was not read.',
      'The document is not complete. What is missing was not checked.',
    ],
  ],
] as const)('text that was not read is said: %j', (answer, words) => {
  expect(unreadWords(answer)).toEqual(words);
});

test('code lists that were not checked are named by their elements', () => {
  expect(codesWords([])).toBe('');
  expect(codesWords(['235'])).toBe('Code list of element 235 not checked.');
  expect(codesWords(['235', '353'])).toBe('Code lists of elements 235, 353 not checked.');
  expect(uncheckedAmong(EXACT, ['98', '235', '235', ''])).toEqual(['235']);
});

test('the title says what validation came to', () => {
  expect(validationTitle(null, undefined)).toBe('Validating');
  expect(validationTitle(0, 'valid')).toBe('Validation: 0 errors');
  expect(validationTitle(2, 'invalid')).toBe('Validation: 2 errors');
  expect(validationTitle(0, 'not_checked')).toBe('Validation: not checked');
});
