/**
 * What a new password is worth, in words. The server refuses what is shorter than 12
 * characters, longer than 1,024 bytes, or easy to guess by its own lists; the words say what a
 * guesser would try first. Nothing here is sent or kept.
 */

export const PASSWORD_MIN_CHARS = 12;
export const PASSWORD_MAX_BYTES = 1024;

export type Strength = 'none' | 'short' | 'long' | 'weak' | 'fair' | 'strong';

export interface PasswordWords {
  strength: Strength;
  text: string;
}

/** Parts that guessers put together first; compared in lower case. */
const COMMON = [
  'password',
  'passwort',
  'qwerty',
  'letmein',
  'welcome',
  'admin',
  'longshore',
  'secret',
  'iloveyou',
  'abc',
  '123',
];
/** From here on, what is left after the easy parts were taken away is out of reach. */
const STRONG_CHARS = 16;
const FAIR_CHARS = 8;

/** Says how many characters a password lacks to be accepted, and how hard it is to guess. */
export function passwordWords(password: string, email: string): PasswordWords {
  const chars = [...password].length;
  if (chars === 0) return { strength: 'none', text: `At least ${PASSWORD_MIN_CHARS} characters.` };
  if (chars < PASSWORD_MIN_CHARS) {
    const left = PASSWORD_MIN_CHARS - chars;
    return {
      strength: 'short',
      text: `${chars} of ${PASSWORD_MIN_CHARS} characters: ${left} more needed.`,
    };
  }
  if (new TextEncoder().encode(password).length > PASSWORD_MAX_BYTES) {
    return { strength: 'long', text: 'Too long: at most 1,024 bytes.' };
  }
  const worth = charsWorthGuessing(password, email);
  if (worth < FAIR_CHARS) return { strength: 'weak', text: weakness(password, email) };
  if (worth < STRONG_CHARS) {
    return { strength: 'fair', text: 'Fair. Add a word or two to make it strong.' };
  }
  return { strength: 'strong', text: 'Strong.' };
}

function weakness(password: string, email: string): string {
  const folded = password.toLowerCase();
  if (namesOf(email).some((name) => folded.includes(name))) {
    return 'Weak: it is mostly your e-mail address.';
  }
  const common = COMMON.find((word) => folded.includes(word));
  if (common !== undefined) return `Weak: “${common}” is easy to guess.`;
  return 'Weak: it is repetitive. Use several unrelated words.';
}

/** The characters left when known words, the address, repeats and rows such as 4567 count little. */
function charsWorthGuessing(password: string, email: string): number {
  let rest = password.toLowerCase();
  for (const word of [...namesOf(email), ...COMMON]) rest = rest.replaceAll(word, '\u0000');
  const points = [...rest].map((char) => char.codePointAt(0) ?? 0);
  const kinds = new Set(points).size;
  const surprises = points.filter((point, index) => isSurprise(points, point, index)).length;
  // Few different characters are few guesses, however often they come.
  return Math.min(surprises, kinds * 2);
}

function isSurprise(points: number[], point: number, index: number): boolean {
  const before = points[index - 1];
  return before === undefined || Math.abs(point - before) > 1;
}

/** The parts of an address that somebody would try, those of fewer than 3 characters aside. */
function namesOf(email: string): string[] {
  return email
    .toLowerCase()
    .split(/[@.+_-]/)
    .filter((part) => part.length >= 3)
    .sort((one, other) => other.length - one.length);
}
