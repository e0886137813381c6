import { expect, it } from 'vitest';
import { beginningText } from './beginning';

const bytes = (text: string) => new TextEncoder().encode(text);

it('is the whole text where nothing is cut', () => {
  expect(beginningText(bytes('N1*ST*Müller~é'), false)).toBe('N1*ST*Müller~é');
});

it('ends before a character that is cut in two', () => {
  expect(beginningText(bytes('N1*ST*Müller~é').subarray(0, -1), true)).toBe('N1*ST*Müller~');
});

it('is null where there is no text', () => {
  expect(beginningText(new Uint8Array([0, 1, 2, 3]), false)).toBeNull();
  expect(beginningText(new Uint8Array(), false)).toBeNull();
});
