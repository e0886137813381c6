import { expect, test } from 'vitest';
import { readSftp, sftpBody, sftpFaults } from './sftpConnection';

const GIVEN = {
  ...{ type: 'sftp', host: 'files.example.com', port: 2222, user: 'us' },
  ...{ host_key: 'ssh-ed25519 AAAA', upload_dir: '/in' },
  ...{ download_dir: '/out', pattern: '*.edi', poll_seconds: 60, after_download: 'delete' },
  mailbox: 'shared',
};

test('a connection that was read can be sent back, and its secret stays', () => {
  const form = readSftp({ ...GIVEN, private_key_set: true, password_set: false });
  expect(form).toMatchObject({ login: 'private_key', stored: 'private_key', secret: '' });
  expect(sftpBody(form)).toEqual(GIVEN);
  expect(sftpFaults(form)).toEqual({});
});

test('a new secret is sent under the name of the login', () => {
  const form = readSftp({ ...GIVEN, password_set: true });
  expect(form).toMatchObject({ login: 'password', stored: 'password' });
  expect(sftpBody({ ...form, secret: 'new' })).toEqual({ ...GIVEN, password: 'new' });
  const changed = { ...form, login: 'private_key' } as const;
  expect(sftpFaults(changed)).toEqual({ private_key: 'Enter the private key.' });
});

test('what a form lacks is an error of its field, and a wrong port is for the service', () => {
  const form = readSftp(null);
  expect(Object.keys(sftpFaults(form))).toEqual(['host', 'user', 'password']);
  expect(sftpBody({ ...form, port: ' ' }).port).toBe(22);
  expect(sftpBody({ ...form, port: 'x', pattern: ' ' })).toMatchObject({
    ...{ port: 'x', download_dir: '', pattern: '*', poll_seconds: 300, after_download: 'archive' },
  });
});
