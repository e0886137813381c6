import { describe, expect, test } from 'vitest';
import { passwordWords } from './passwordWords';

const strength = (password: string, email = '') => passwordWords(password, email).strength;

describe('passwordWords', () => {
  test('nothing typed tells what is asked for', () => {
    expect(passwordWords('', '')).toEqual({ strength: 'none', text: 'At least 12 characters.' });
  });

  test('a short one tells how many characters are missing', () => {
    expect(passwordWords('harbour', '')).toEqual({
      strength: 'short',
      text: '7 of 12 characters: 5 more needed.',
    });
  });

  test('characters are counted as the server counts them, not in UTF-16', () => {
    expect(strength('🚢🚢🚢🚢🚢🚢')).toBe('short');
    expect(strength('🚢⚓🌊🐟🧭🗺🏝🌙☀⛵🐚🐙')).toBe('fair');
  });

  test('a thousand and twenty-four bytes are taken, one more is not', () => {
    expect(strength('é'.repeat(512))).toBe('weak');
    expect(strength(`${'é'.repeat(512)}x`)).toBe('long');
  });

  test('a repeated letter and a row of digits are weak', () => {
    expect(strength('aaaaaaaaaaaaaaaa')).toBe('weak');
    expect(strength('4567456745674567')).toBe('weak');
    expect(passwordWords('xyxyxyxyxyxyxyxy', '').text).toBe(
      'Weak: it is repetitive. Use several unrelated words.',
    );
  });

  test('a known word counts little, and is named', () => {
    expect(passwordWords('Password123!', '')).toEqual({
      strength: 'weak',
      text: 'Weak: “password” is easy to guess.',
    });
  });

  test('the address counts little', () => {
    expect(passwordWords('ada.lovelace1', 'ada.lovelace@example.com')).toEqual({
      strength: 'weak',
      text: 'Weak: it is mostly your e-mail address.',
    });
  });

  test('unrelated words are fair, then strong', () => {
    expect(strength('cranes at dawn')).toBe('fair');
    expect(strength('a long sentence nobody guesses')).toBe('strong');
  });
});
