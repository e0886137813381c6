import { expect, it } from 'vitest';
import {
  AUDIT_ACTIONS,
  actionChoices,
  actionInWords,
  actorInWords,
  detailInWords,
  placeOf,
} from './auditWords';

it('says what was done, and leaves what it does not know', () => {
  expect(actionInWords('interchange.release')).toBe('Interchange released');
  expect(actionInWords('moon.landing')).toBe('moon.landing');
});

it('offers every action under its group', () => {
  const values = actionChoices().map(({ value }) => value);
  expect(values.slice(0, 3)).toEqual(['account', 'account.equip', 'account.resume']);
  expect(values.filter((value) => value.includes('.')).sort()).toEqual(
    Object.keys(AUDIT_ACTIONS).sort(),
  );
});

it('says a reason of quarantine in words, and all else as it is', () => {
  expect(detailInWords('interchange.quarantined', 'not_x12')).toBe(
    'It is not X12: it does not begin with an ISA segment.',
  );
  expect(detailInWords('interchange.quarantined', '')).toBe('');
  expect(detailInWords('interchange.release', 'By phone.')).toBe('By phone.');
});

it('finds the object that an entry names', () => {
  expect(placeOf('document 17')).toEqual({ kind: 'document', id: '17' });
  expect(placeOf('transaction list')).toBeNull();
  expect(placeOf('document 0')).toBeNull();
});

it('names users and keys, the worker and the operator', () => {
  const names = new Map([['user 5', 'ada@example.com']]);
  expect(actorInWords('user 5', names)).toBe('ada@example.com');
  expect(actorInWords('key 3', names)).toBe('key 3');
  expect(actorInWords('worker', names)).toBe('Longshore');
  expect(actorInWords('operator', names)).toBe('The operator');
});
