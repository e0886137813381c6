import { expect, test } from 'vitest';
import { ftpsBody, ftpsFaults, readFtps } from './ftpsConnection';

const GIVEN = {
  ...{ type: 'ftps', host: 'files.example.com', port: 2121, user: 'us', upload_dir: '/in' },
  ...{ download_dir: '/out', pattern: '*.edi', poll_seconds: 60, after_download: 'delete' },
  ...{ mailbox: 'shared', certificate: 'AB:CD' },
};

test('a connection that was read can be sent back, and its password stays', () => {
  const form = readFtps({ ...GIVEN, password_set: true });
  expect(form).toMatchObject({ isPasswordStored: true, secret: '' });
  expect(ftpsBody(form)).toEqual(GIVEN);
  expect(ftpsFaults(form)).toEqual({});
  expect(ftpsBody({ ...form, secret: 'new' })).toEqual({ ...GIVEN, password: 'new' });
});

test('what a form lacks is an error of its field', () => {
  const form = readFtps(null);
  expect(Object.keys(ftpsFaults(form))).toEqual(['host', 'user', 'password']);
  expect(ftpsBody(form)).toMatchObject({ port: 21, certificate: '', upload_dir: '/' });
});
