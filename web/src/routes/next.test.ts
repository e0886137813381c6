import { expect, test } from 'vitest';
import { safeNext } from './next';

test.each(['/app', '/app/maps/7?row=a#b', '/app?x=1'])('%s is a page of ours', (next) => {
  expect(safeNext(next)).toBe(next);
});

test.each([
  undefined,
  '',
  '/',
  '/apple',
  '/login',
  '//evil.example',
  'https://evil.example/app',
  '/app//evil.example',
  '/app/\\evil.example',
  '/app\\evil.example',
  'javascript:alert(1)//app',
])('%s is not, and leads to the overview', (next) => {
  expect(safeNext(next)).toBe('/app');
});
