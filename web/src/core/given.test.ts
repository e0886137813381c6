import { expect, it } from 'vitest';
import { given } from './given';

it('leaves out what is not given and writes the rest as texts', () => {
  const filters = { q: undefined, tx_set: '0850', offset: 50, overdue: true as const };
  expect(given(filters)).toEqual({ tx_set: '0850', offset: '50', overdue: 'true' });
});
