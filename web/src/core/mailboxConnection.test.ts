import { expect, test } from 'vitest';
import { mailboxBody, mailboxFaults, readMailbox } from './mailboxConnection';

const KEYS = ['ssh-ed25519 AAAA one', 'ssh-ed25519 BBBB'];

test('a stored mailbox is sent back as it is, and its password stays', () => {
  const form = readMailbox({ type: 'mailbox', password_set: true, public_keys: KEYS });
  expect(form.public_keys).toBe(KEYS.join('\n'));
  expect(mailboxBody(form)).toEqual({ type: 'mailbox', public_keys: KEYS });
  expect(mailboxBody({ ...form, password: 'open sesame' }).password).toBe('open sesame');
});

test('without a password and a public key nobody can log in', () => {
  const form = readMailbox({ public_keys: 'none' });
  expect(mailboxFaults(form)).toEqual({ password: 'Enter a password or a public key.' });
  expect(mailboxFaults({ ...form, public_keys: '\n ssh-ed25519 AAAA \n' })).toEqual({});
  expect(mailboxFaults({ ...form, isPasswordStored: true })).toEqual({});
});
