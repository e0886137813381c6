/** API keys in words: what a table and its dialogs say of them. */
import { utcMillis } from './time';

export type KeyStatus = 'active' | 'grace' | 'revoked' | 'expired';
export type KeyEnvironment = 'sandbox' | 'production';
export type Role = 'owner' | 'editor' | 'viewer';

export const KEY_STATUSES = ['active', 'grace', 'revoked', 'expired'] as const;
export const LONGEST_LIFE_DAYS = 3650;
/** The hours that a replaced secret may still work for, in words. */
export const OVERLAPS = [
  [0, 'No overlap'],
  [1, '1 hour'],
  [24, '24 hours'],
  [168, '7 days'],
] as const;
export const DEFAULT_OVERLAP = 24;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** `svc_test_…9f2c`: enough to tell two keys apart, and of no use to anybody else. */
export function shownKey(prefix: string, last4: string): string {
  return `${/^[a-z]+_[a-z]+_/.exec(prefix)?.[0] ?? ''}…${last4}`;
}

/** `active`, or `grace 23 h` while a replaced key still works. */
export function statusWords(status: KeyStatus, graceUntil: string | null, now: number): string {
  const until = graceUntil === null ? null : utcMillis(graceUntil);
  if (status !== 'grace' || until === null) return status;
  return `grace ${timeLeft(until - now)}`;
}

/** `50 min`, `23 h`, `6 days`: rounded down, so that it never promises too much. */
export function timeLeft(millis: number): string {
  if (millis < HOUR_MS) return `${Math.max(0, Math.floor(millis / 60_000))} min`;
  const hours = Math.floor(millis / HOUR_MS);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/** Whether somebody may make, rotate and revoke keys of an environment. */
export function mayManage(role: Role, environment: KeyEnvironment): boolean {
  return role === 'owner' || (role === 'editor' && environment === 'sandbox');
}

/** `24 hours`: for how long a replaced secret still works. */
export function overlapWords(hours: number): string {
  return OVERLAPS.find(([each]) => each === hours)?.[1] ?? `${hours} hours`;
}

/** The instant so many days from now, as the service writes it. */
export function expiryInDays(days: number, now: number): string {
  return new Date(now + days * DAY_MS).toISOString().slice(0, 19);
}

/** The day so many days from now, for a field that takes a date. */
export function dayInDays(days: number, now: number): string {
  return expiryInDays(days, now).slice(0, 10);
}

/** The command that tells whether a key works, and for which environment. */
export function pingCommand(origin: string, key: string): string {
  return `curl -sS ${origin}/api/v1/ping -H 'Authorization: Bearer ${key}'`;
}
