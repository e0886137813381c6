import { expect, test } from 'vitest';
import {
  definitionChoices,
  definitionParameters,
  faultChoices,
  sampleName,
  setChoices,
} from './madeSamples';

const ENTRIES = [
  { tx_set: '837', name: 'Claim', release: '004010', guides: [] },
  { tx_set: '837', name: 'Claim', release: '005010', guides: ['005010X222A1', '005010X223A2'] },
  { tx_set: '850', name: 'Order', release: '004010', guides: [] },
];

test('each set is offered once, with its name', () => {
  expect(setChoices(ENTRIES)).toEqual([
    { value: '837', label: '837 Claim' },
    { value: '850', label: '850 Order' },
  ]);
});

test('the newest release of a set comes first, guides after their release', () => {
  expect(definitionChoices(ENTRIES, '837').map(({ label }) => label)).toEqual([
    ...['005010', 'Guide 005010X222A1', 'Guide 005010X223A2'],
    '004010',
  ]);
  expect(definitionChoices(ENTRIES, '999')).toEqual([]);
});

test('six digits are a release, the rest a guide', () => {
  expect(definitionParameters('')).toEqual({});
  expect(definitionParameters('004010')).toEqual({ release: '004010' });
  expect(definitionParameters('005010X222A1')).toEqual({ guide: '005010X222A1' });
});

test('faults are offered in words, by the alphabet', () => {
  const found = faultChoices(['segment_missing', 'element_missing']);
  expect(found.map(({ value }) => value)).toEqual([
    ...['', 'any'],
    ...['element_missing', 'segment_missing'],
  ]);
  expect(found.at(-1)?.label).toBe('segment missing');
});

test('a sample is named by its definition and its fault', () => {
  const order = { tx_set: '850', release: '004010', guide: null, fault: null };
  expect(sampleName(order)).toBe('sample 850 004010');
  const claim = { ...order, tx_set: '837', guide: '005010X222A1', fault: 'segment_missing' };
  expect(sampleName(claim)).toBe('sample 837 005010X222A1 with segment missing');
});
