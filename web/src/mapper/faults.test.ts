import { expect, test } from 'vitest';
import { ApiError } from '../api/error';
import { faultsOf, forEachWords } from './faults';

test('a refusal is told at the rules it names, all else in general', () => {
  const error = new ApiError({
    status: 400,
    code: 'invalid_mapping_rule',
    message: 'Several faults.',
    details: [
      { code: 'a', message: 'no such transform', param: 'field_map[2].transform' },
      { code: 'b', message: 'bad path', param: 'field_map[2].src' },
      { code: 'c', message: 'too long', param: 'document' },
    ],
  });
  const faults = faultsOf(error);
  expect([...faults.byRule]).toEqual([[2, ['no such transform', 'bad path']]]);
  expect(faults.general).toEqual(['too long']);
});

test('a refusal without details is told whole, and none is nothing', () => {
  expect(faultsOf(new Error('gone')).general).toEqual(['gone']);
  expect(faultsOf(null)).toEqual({ byRule: new Map(), general: [] });
});

test('a loop is named by its last step, with its count', () => {
  expect(forEachWords('PO1[*]>PID[*]', 2)).toBe('for each PID ×2');
  expect(forEachWords('PO1[*]', 1)).toBe('for each PO1');
});
