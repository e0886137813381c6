import { expect, test } from 'vitest';
import type { MapState } from './model';
import { isChanged } from './settings';

const STATE: MapState = {
  name: 'Orders',
  source_fmt: 'x12',
  target_fmt: 'json',
  tx_set: '850',
  direction: 'inbound',
  description: '',
  field_map: [],
  lookups: [{ name: 'one', rows: [{ from: 'A', to: 'aaa' }] }],
  sample: null,
  target_sample: '',
  tests: [],
  rejected: [],
};

test('what was not touched, or put back, is no change', () => {
  expect(isChanged(STATE, {})).toBe(false);
  expect(isChanged(STATE, { tx_set: '850', direction: 'inbound' })).toBe(false);
  const again = [{ name: 'one', rows: [{ from: 'A', to: 'aaa' }] }];
  expect(isChanged(STATE, { lookups: again })).toBe(false);
});

test('another value of any setting is a change', () => {
  expect(isChanged(STATE, { description: 'Theirs' })).toBe(true);
  expect(isChanged(STATE, { lookups: [{ name: 'one', rows: [{ from: 'A', to: 'b' }] }] })).toBe(
    true,
  );
  expect(isChanged(STATE, { lookups: [] })).toBe(true);
});
