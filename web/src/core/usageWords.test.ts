import { expect, test } from 'vitest';
import { storedBytesInWords, storedRecordsInWords } from './usageWords';

test('what an account stores, and its limit', () => {
  expect(storedBytesInWords(49_357, 10_737_418_240)).toBe('48.2 KiB of 10.0 GiB (0 %)');
  expect(storedBytesInWords(0, 0)).toBe('0 bytes, no limit');
  expect(storedRecordsInWords(1_204, 1_500)).toBe('1,204 of 1,500 (80 %)');
  expect(storedRecordsInWords(1_500, 1_500)).toBe('1,500 of 1,500 (100 %; no more are accepted)');
});
