import { expect, test } from 'vitest';
import { needsToken, onlyReads } from './calls';

test('what is read may be sent once more, also where a document is posted to be looked at', () => {
  expect(onlyReads('GET', '/api/transactions/7')).toBe(true);
  expect(onlyReads('POST', '/api/validate')).toBe(true);
  expect(onlyReads('POST', '/api/maps/preview')).toBe(true);
});

test('what changes something is never counted as reading', () => {
  expect(onlyReads('POST', '/api/transactions/submit')).toBe(false);
  expect(onlyReads('POST', '/api/maps')).toBe(false);
  expect(onlyReads('PUT', '/api/maps/preview')).toBe(false);
  expect(onlyReads('DELETE', '/api/keys/7')).toBe(false);
});

test('the token goes with everything that is posted, also to be read', () => {
  expect(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'].map(needsToken)).toEqual([
    ...[false, false],
    ...[true, true, true],
  ]);
});
