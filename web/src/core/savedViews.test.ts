import { expect, test } from 'vitest';
import { decodeViews, MAX_VIEWS, readyViews, withoutView, withView } from './savedViews';

const NAMES = new Set(['status', 'q']);
const view = (name: string) => ({ name, filters: { status: 'failed' } });

test('the ready views speak of whole months, also over the end of a year', () => {
  const found = readyViews(Date.UTC(2026, 0, 15));
  expect(found.slice(0, 2).map(({ name }) => name)).toEqual([
    'Failures in January 2026',
    'Failures in December 2025',
  ]);
  expect(found.map(({ filters }) => [filters.date_from, filters.date_to])).toEqual([
    ['2026-01-01', '2026-01-31'],
    ['2025-12-01', '2025-12-31'],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test.each([
  null,
  'nonsense',
  '{}',
  '[1]',
  '[null]',
  '[{"name":"a"}]',
  '[{"name":"","filters":{"q":"x"}}]',
  '[{"name":"a","filters":null}]',
  '[{"name":"a","filters":{"q":1}}]',
])('what is no view is left out: %s', (text) => {
  expect(decodeViews(text, NAMES)).toEqual([]);
});

test('filters that the list does not have are left out of a view', () => {
  const text = JSON.stringify([{ name: 'a', filters: { q: 'x', offset: '50' } }]);
  expect(decodeViews(text, NAMES)).toEqual([{ name: 'a', filters: { q: 'x' } }]);
});

test('a view replaces the one of its name, and too many are refused', () => {
  const other = { name: 'a', filters: { q: 'x' } };
  expect(withView([view('a'), view('b')], other)).toEqual([view('b'), other]);
  const full = Array.from({ length: MAX_VIEWS }, (_, at) => view(`view ${at}`));
  expect(withView(full, view('one more'))).toBeNull();
  expect(withView(full, view('view 3'))).toHaveLength(MAX_VIEWS);
  expect(withoutView([view('a'), view('b')], 'a')).toEqual([view('b')]);
});
