import { expect, test } from 'vitest';
import { as2Body, as2Faults, readAs2 } from './as2Connection';

const ONE = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const GIVEN = {
  ...{ as2_from: 'US', as2_to: 'THEM', certificates: [ONE, ONE], sign: true, encrypt: false },
  ...{ compress: true, sign_algorithm: 'sha512', encrypt_algorithm: 'aes128_gcm', oaep: true },
  ...{ mdn: 'none', mdn_signed: false, transfer_encoding: 'base64', content_type: 'text/plain' },
};

test('a connection that was read can be sent back', () => {
  const url = 'https://as2.example.com/';
  expect(as2Body(url, readAs2(GIVEN))).toEqual({ ...GIVEN, type: 'as2', url });
});

test('a new one has the defaults of the service', () => {
  expect(as2Body(' u ', readAs2({ as2_from: ' US ', content_type: ' ' }))).toEqual({
    ...{ type: 'as2', url: 'u', as2_from: 'US', as2_to: '', certificates: [], sign: true },
    ...{ encrypt: true, compress: false, sign_algorithm: 'sha256', oaep: false, mdn: 'sync' },
    ...{ encrypt_algorithm: 'aes256_cbc', mdn_signed: true, transfer_encoding: 'binary' },
    content_type: 'application/EDI-X12',
  });
});

test('what is no certificate is sent as it is, for the service to refuse', () => {
  expect(as2Body('u', { ...readAs2({}), certificates: 'x' }).certificates).toEqual(['x']);
});

test('what a form lacks is an error of its field', () => {
  expect(Object.keys(as2Faults('', readAs2({})))).toEqual(['url', 'as2_from', 'as2_to']);
  expect(as2Faults('u', readAs2(GIVEN))).toEqual({});
});
