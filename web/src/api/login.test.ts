import { expect, test } from 'vitest';
import { login } from './login';

test('all who wait for a login learn where it happened, and the next one is a new one', async () => {
  const waiting = [login.needed(), login.needed()];
  login.finished('elsewhere');
  expect(await Promise.all(waiting)).toEqual(['elsewhere', 'elsewhere']);
  const later = login.needed();
  login.finished('here');
  expect(await later).toBe('here');
});

test('the dialog opens with the first who waits and closes when somebody has logged in', () => {
  const states: boolean[] = [];
  const leave = login.subscribe((open) => states.push(open));
  void login.needed();
  void login.needed();
  login.finished('here');
  leave();
  void login.needed();
  login.finished('here');
  expect(states).toEqual([true, false]);
});
