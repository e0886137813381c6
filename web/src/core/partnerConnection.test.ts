import { expect, test } from 'vitest';
import { connectionBody, connectionFaults, facedFaults, readConnection } from './partnerConnection';

const HTTP = {
  ...{ type: 'http', url: 'https://edi.example.com/in', content_type: 'text/plain' },
  ...{ headers: { 'X-Api-Key': '' }, basic: { user: 'ada', password_set: true } },
};

test('a connection that was read can be sent back, and its secrets stay', () => {
  const form = readConnection(HTTP);
  expect(form).toMatchObject({ user: 'ada', password: '', isPasswordStored: true });
  expect(form.headers).toEqual([{ name: 'X-Api-Key', value: '', isStored: true }]);
  expect(connectionBody(form)).toEqual({ ...HTTP, basic: { user: 'ada' } });
  expect(connectionFaults(form)).toEqual({});
});

test('a login is sent with a new password, or taken away', () => {
  const form = readConnection(HTTP);
  expect(connectionBody({ ...form, password: 'new' }).basic).toEqual({
    ...{ user: 'ada', password: 'new' },
  });
  expect(connectionBody({ ...form, hasLogin: false }).basic).toBeNull();
  expect(readConnection({ ...HTTP, basic: null })).toMatchObject({ hasLogin: false, user: '' });
});

test('what a form lacks is told by field', () => {
  const empty = { ...readConnection({ type: 'none' }), type: 'http', hasLogin: true } as const;
  expect(Object.keys(connectionFaults(empty))).toEqual(['url', 'basic.user', 'basic.password']);
  const header = { name: 'X-Key', value: '', isStored: false };
  const headers = (rows: (typeof header)[]) =>
    connectionFaults({ ...readConnection(HTTP), headers: rows }).headers;
  expect(headers([header])).toContain('value');
  expect(
    headers([
      { ...header, value: 'a' },
      { ...header, name: 'x-key', value: 'b' },
    ]),
  ).toContain('twice');
  expect(headers([{ ...header, name: ' ' }])).toContain('name');
  expect(connectionFaults({ ...empty, type: 'none' })).toEqual({});
});

test('the script of the simulator has its detail apart', () => {
  const form = readConnection({ type: 'simulator', script: 'reject:5' });
  expect([form.script, form.scriptDetail]).toEqual(['reject', '5']);
  expect(connectionBody(form)).toEqual({ type: 'simulator', script: 'reject:5' });
  expect(connectionBody({ ...form, script: 'accept' }).script).toBe('accept');
  expect(connectionBody({ ...form, scriptDetail: ' ' }).script).toBe('reject');
});

test('an SFTP connection has a form of its own', () => {
  const given = { type: 'sftp', host: 'h', port: 22, user: 'u', host_key: '', upload_dir: '/' };
  const fetching = {
    download_dir: '',
    pattern: '*',
    poll_seconds: 300,
    after_download: 'archive',
    mailbox: 'own',
  };
  const form = readConnection({ ...given, password_set: true });
  expect(connectionBody(form)).toEqual({ ...given, ...fetching });
  expect(connectionFaults(form)).toEqual({});
});

test('an FTPS connection has a form of its own', () => {
  const form = readConnection({ type: 'ftps', host: 'h', user: 'u', password_set: true });
  expect(connectionBody(form)).toMatchObject({ type: 'ftps', host: 'h', port: 21 });
  expect(connectionFaults(form)).toEqual({});
});

test('anything that is no connection reads as none', () => {
  for (const given of [null, 'x', {}, { type: 'pigeon' }]) {
    expect(readConnection(given).type).toBe('none');
  }
});

test('faults stand at the fields of their own environment', () => {
  const details = [
    { param: 'connections.test.url', message: 'URL.' },
    { param: 'connections.test.headers.X', message: 'Header.' },
    { param: 'connections.live.url', message: 'Other.' },
    { message: 'None.' },
  ];
  expect(facedFaults(details, 'test')).toEqual({ url: 'URL.', headers: 'Header.' });
});
