import { expect, test } from 'vitest';
import { readAs2 } from './as2Connection';
import { formOfProfile, profileFile, profileFileName } from './as2Profile';

const ONE = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const FORM = readAs2({ as2_from: 'US', as2_to: 'OLD', mdn: 'async', compress: true });
const PROFILE = {
  format: 'longshore-as2-profile-1',
  environment: 'sandbox',
  as2_name: 'THEM',
  url: 'https://them.example.com/as2',
  certificates: [ONE],
};

function read(changes: object) {
  return formOfProfile(JSON.stringify({ ...PROFILE, ...changes }), 'sandbox', FORM);
}

test('a profile names the other side, and what it does not say stays', () => {
  expect(read({ sign_algorithm: 'sha512', encrypt: false })).toEqual({
    url: 'https://them.example.com/as2',
    as2: {
      ...FORM,
      ...{ as2_to: 'THEM', certificates: ONE.trim(), sign_algorithm: 'sha512', encrypt: false },
    },
  });
});

test.each([
  [{ format: 'other' }, 'This file is no AS2 profile.'],
  [
    { environment: 'production' },
    'This profile is not for test documents: its environment is production.',
  ],
  [{ secret: 1 }, 'The profile has the unknown member “secret”.'],
  [{ url: 7 }, 'The profile must have an AS2 name and a URL.'],
  [{ as2_name: null }, 'The profile must have an AS2 name and a URL.'],
  [{ certificates: [] }, 'The profile must have certificates.'],
  [{ certificates: [7] }, 'The profile must have certificates.'],
  [{ certificates: ONE }, 'The profile must have certificates.'],
  [{ sign: 'yes' }, 'The member “sign” of the profile is of another type.'],
])('%j is refused with its reason', (changes, reason) => {
  expect(() => read(changes)).toThrow(new TypeError(reason));
});

test('a file that is no JSON is no profile', () => {
  expect(() => formOfProfile('<xml>', 'sandbox', FORM)).toThrow('This file is no AS2 profile.');
});

test('a file has the profile and is named after the identity', async () => {
  expect(JSON.parse(await profileFile(PROFILE).text())).toEqual(PROFILE);
  expect(profileFileName('ACME / TEST')).toBe('as2-ACME-TEST.json');
});
