import { expect, test } from 'vitest';
import { partnerFile, partnerFileName, partnerOfFile } from './partnerFile';

const PARTNER = {
  id: 7,
  revision: 3,
  inbound_url_test: 'https://secret',
  name: 'Northwind Retail',
};

test('a file holds what was agreed, and nothing that only one account has', () => {
  const file = partnerFile({ ...PARTNER, partner_status: 'active', ack_hours: 24 });
  expect(JSON.parse(file)).toEqual({
    ...{ name: 'Northwind Retail', partner_status: 'active', ack_hours: 24 },
  });
});

test('an imported partner begins with testing, or pending if the file says so', () => {
  const read = (partner_status: string) =>
    JSON.parse(partnerOfFile(JSON.stringify({ name: 'N', partner_status }))).partner_status;
  expect([read('active'), read('pending'), read('testing')]).toEqual([null, 'pending', 'testing']);
});

test.each(['', '[]', '{}', '{"name": 1}', '["name"]', 'null'])('%s is no partner', (text) => {
  expect(() => partnerOfFile(text)).toThrow('This file does not contain a partner');
});

test('a file is named after its partner, in characters that every system takes', () => {
  expect(partnerFileName('Northwind: Retail & Söhne', 7)).toBe('northwind-retail-s-hne.json');
  expect(partnerFileName('日本', 7)).toBe('partner-7.json');
});
