import { describe, expect, test } from 'vitest';
import {
  countOf,
  dayOf,
  flagOf,
  idOf,
  optional,
  readAddress,
  setsOf,
  textOf,
  unreadIn,
  wordOf,
  wordsOf,
  writeAddress,
} from './address';

describe('an address', () => {
  test('keeps every value as it is written, there and back', () => {
    const search = { q: '0012345678901234567890', note: 'a b&c=1,2', flag: 'true' };
    expect(readAddress(writeAddress(search))).toEqual(search);
    expect(writeAddress({ partner_id: 7, overdue: true, q: undefined })).toBe(
      '?partner_id=7&overdue=true',
    );
    expect(writeAddress({ q: undefined })).toBe('');
  });
});

describe('a value of an address', () => {
  test.each([
    ['a text', textOf, 'PO 1', 'PO 1'],
    ['nothing', textOf, '', undefined],
    ['a line feed', textOf, 'PO\n1', undefined],
    ['200 characters', textOf, 'x'.repeat(200), 'x'.repeat(200)],
    ['201 characters', textOf, 'x'.repeat(201), undefined],
    ['the largest id', idOf, '9223372036854775807', '9223372036854775807'],
    ['too large an id', idOf, '9223372036854775808', undefined],
    ['an id with a zero before it', idOf, '07', undefined],
    ['sets', setsOf, '850,810', '850,810'],
    ['no sets', setsOf, '850,', undefined],
    ['a leap day', dayOf, '2028-02-29', '2028-02-29'],
    ['a day that does not exist', dayOf, '2026-02-29', undefined],
    ['no month', dayOf, '2026-13-01', undefined],
    ['the year 0', dayOf, '0000-01-01', undefined],
    ['no day', dayOf, 'nonsense', undefined],
    ['a count', countOf, '50', 50],
    ['no count', countOf, '-1', undefined],
    ['a count beyond all', countOf, '9'.repeat(17), undefined],
    ['a flag', flagOf, 'true', true],
    ['no flag', flagOf, 'yes', undefined],
  ])('%s', (_case, read, given, expected) => {
    expect(read({ name: given }, 'name')).toBe(expected);
    expect(read({}, 'name')).toBeUndefined();
  });

  test('of a link of ours may be a number or true', () => {
    expect(countOf({ offset: 50 }, 'offset')).toBe(50);
    expect(flagOf({ overdue: true }, 'overdue')).toBe(true);
    expect(textOf({ q: { nested: 1 } }, 'q')).toBeUndefined();
  });

  test('is one of the words, or several of them', () => {
    expect(wordOf({ side: 'left' }, 'side', ['left', 'right'])).toBe('left');
    expect(wordOf({ side: 'up' }, 'side', ['left', 'right'])).toBeUndefined();
    expect(wordsOf({ side: 'right,up' }, 'side', ['left', 'right'])).toBe('right');
    expect(wordsOf({ side: 'up' }, 'side', ['left', 'right'])).toBeUndefined();
    expect(wordsOf({}, 'side', ['left', 'right'])).toBeUndefined();
  });
});

test('what a page does not know of an address is absent and can be named', () => {
  const address = { status: 'sent,foo', date_from: 'nonsense', q: 'a,b', page: '2', empty: '' };
  const read = optional((search) => ({
    status: wordsOf(search, 'status', ['sent']),
    date_from: dayOf(search, 'date_from'),
    q: textOf(search, 'q'),
    empty: textOf(search, 'empty'),
  }))(address);
  expect(Object.entries(read).filter(([, value]) => value !== undefined)).toEqual([
    ['status', 'sent'],
    ['q', 'a,b'],
  ]);
  expect(unreadIn(address, read)).toEqual(['status=foo', 'date_from=nonsense', 'page=2']);
});
