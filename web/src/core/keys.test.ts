import { describe, expect, test } from 'vitest';
import {
  dayInDays,
  expiryInDays,
  mayManage,
  overlapWords,
  pingCommand,
  shownKey,
  statusWords,
  timeLeft,
} from './keys';

const NOW = Date.UTC(2026, 0, 15, 14, 5, 9);

describe('keys', () => {
  test('an overlap is said in words, also one that no choice has', () => {
    expect([0, 1, 24, 168, 5].map(overlapWords)).toEqual([
      ...['No overlap', '1 hour', '24 hours', '7 days', '5 hours'],
    ]);
  });

  test('a key is shown by its kind and its last characters only', () => {
    expect(shownKey('svc_test_x7Kd', '9f2c')).toBe('svc_test_…9f2c');
    expect(shownKey('svc_live_Qq1A', 'a71b')).toBe('svc_live_…a71b');
  });

  test('a status is its word', () => {
    expect(statusWords('active', null, NOW)).toBe('active');
    expect(statusWords('grace', null, NOW)).toBe('grace');
    expect(statusWords('revoked', '2026-01-16T14:05:08', NOW)).toBe('revoked');
  });

  test('a replaced key says how long it still works', () => {
    expect(statusWords('grace', '2026-01-16T14:05:08', NOW)).toBe('grace 23 h');
    expect(statusWords('grace', '2026-01-15T14:05:00', NOW)).toBe('grace 0 min');
  });

  test.each([
    [59 * 60_000, '59 min'],
    [3_600_000, '1 h'],
    [47 * 3_600_000, '47 h'],
    [48 * 3_600_000, '2 days'],
    [6.9 * 86_400_000, '6 days'],
  ])('%d ms are %s', (millis, words) => {
    expect(timeLeft(millis)).toBe(words);
  });

  test.each([
    ['owner', 'production', true],
    ['owner', 'sandbox', true],
    ['editor', 'sandbox', true],
    ['editor', 'production', false],
    ['viewer', 'sandbox', false],
  ] as const)('%s of a %s key: %s', (role, environment, may) => {
    expect(mayManage(role, environment)).toBe(may);
  });

  test('an expiry is an instant in UTC without a zone', () => {
    expect(expiryInDays(30, NOW)).toBe('2026-02-14T14:05:09');
    expect(dayInDays(1, NOW)).toBe('2026-01-16');
  });

  test('the command needs no more than the key', () => {
    expect(pingCommand('http://127.0.0.1:8080', 'svc_test_abc')).toBe(
      "curl -sS http://127.0.0.1:8080/api/v1/ping -H 'Authorization: Bearer svc_test_abc'",
    );
  });
});
