import { expect, test } from 'vitest';
import { moreWords, pairingFindingWords, pairingWords } from './pairingWords';

test('the numbers of a request are answered, those of a response found', () => {
  const counts = { number_count: 2, paired_count: 1 };
  expect(pairingWords({ role: 'request', ...counts })).toBe('1 of 2 trace numbers answered');
  expect(pairingWords({ role: 'response', ...counts, number_count: 1 })).toBe(
    '1 of 1 trace number found',
  );
  expect(pairingWords({ role: 'request', number_count: 0, paired_count: 0 })).toBe(
    'No trace number',
  );
});

test('a finding has its place, if it is of a segment', () => {
  const message = 'No request that was sent has this number.';
  expect(pairingFindingWords({ message, element: 'TRN02', segment_position: 5 })).toBe(
    `TRN02 in segment 5: ${message}`,
  );
  expect(pairingFindingWords({ message, element: '', segment_position: null })).toBe(message);
  expect(moreWords(3)).toBe('and 3 more');
});
