import { expect, it } from 'vitest';
import { decisionsFor, reasonInWords } from './interchangeWords';

it('says why and what helps, by the code', () => {
  expect(reasonInWords('unknown_sender')?.what).toBe(
    'The sender in the ISA is not one of your partners.',
  );
  expect(reasonInWords('not_x12')?.releaseHelps).toBe(false);
  expect(reasonInWords('document_not_x12', 'This is EDIFACT; only X12 is possible here.')).toEqual({
    ...reasonInWords('not_x12'),
    what: 'This is EDIFACT; only X12 is possible here.',
  });
  expect(reasonInWords('document_not_x12')?.what).toBe('It is in another format than X12.');
  expect(reasonInWords('set_not_checked')?.releaseHelps).toBe(true);
  expect(reasonInWords(null)).toBeNull();
});

it('takes the words of the record for codes that are many, else those of the TA1', () => {
  expect(reasonInWords('025')?.what).toBe('Control number (ISA13) was used before (TA1 025).');
  expect(reasonInWords('021', 'IEA01 is 2, there is 1 group.')?.what).toBe(
    'IEA01 is 2, there is 1 group.',
  );
  expect(reasonInWords('something_new')?.what).toBe('It was quarantined: something_new.');
});

it('offers what the state allows, and nothing of what was sent', () => {
  expect(decisionsFor('quarantined', 'inbound')).toEqual(['release', 'discard']);
  expect(decisionsFor('failed', 'inbound')).toEqual(['replay']);
  expect(decisionsFor('discarded', 'inbound')).toEqual([]);
  expect(decisionsFor('quarantined', 'outbound')).toEqual([]);
});
