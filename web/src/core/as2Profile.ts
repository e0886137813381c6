/** The AS2 profile of one side as a file, from which the other side makes its connection. */
import { type As2Form, readAs2 } from './as2Connection';
import { recordOf } from './record';

const FORMAT = 'longshore-as2-profile-1';
/** What a side may say of the security that it wants; what it does not say stays. */
const AGREED = [
  ...(['sign', 'encrypt', 'compress', 'sign_algorithm', 'encrypt_algorithm', 'oaep'] as const),
  ...(['mdn', 'mdn_signed', 'content_type'] as const),
];
const REQUIRED = ['format', 'environment', 'as2_name', 'url', 'certificates'];
const WORDS = { sandbox: 'test documents', production: 'live documents' };

export type ProfileEnvironment = keyof typeof WORDS;

/** The file. */
export function profileFile(members: object): Blob {
  return new Blob([`${JSON.stringify(members, null, 2)}\n`], { type: 'application/json' });
}

/** A name for the file, of characters that every system takes. */
export function profileFileName(name: string): string {
  return `as2-${name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60)}.json`;
}

/**
 * The URL and the form that a file makes of a form. Values are checked by the service when the
 * connection is saved.
 *
 * Throws a TypeError with a sentence for people if the file is no profile for the environment.
 */
export function formOfProfile(
  text: string,
  environment: ProfileEnvironment,
  form: As2Form,
): { url: string; as2: As2Form } {
  const given = recordOf(parsed(text));
  refuseOther(given, environment);
  const { as2_name, url, certificates } = given;
  if (typeof as2_name !== 'string' || typeof url !== 'string') {
    throw new TypeError('The profile must have an AS2 name and a URL.');
  }
  if (!isTexts(certificates)) throw new TypeError('The profile must have certificates.');
  const members = { ...form, ...agreedIn(given, form), as2_to: as2_name, certificates };
  return { url, as2: readAs2(members) };
}

/** Refuses what is no profile, is one for another environment, or has members of its own. */
function refuseOther(
  given: Readonly<Record<string, unknown>>,
  environment: ProfileEnvironment,
): void {
  if (given.format !== FORMAT) throw new TypeError('This file is no AS2 profile.');
  if (given.environment !== environment) {
    throw new TypeError(
      `This profile is not for ${WORDS[environment]}: its environment is ${String(given.environment)}.`,
    );
  }
  for (const name of Object.keys(given)) {
    if (!REQUIRED.includes(name) && !AGREED.some((each) => each === name)) {
      throw new TypeError(`The profile has the unknown member “${name}”.`);
    }
  }
}

function agreedIn(
  given: Readonly<Record<string, unknown>>,
  form: As2Form,
): Record<string, unknown> {
  const named = AGREED.filter((name) => name in given);
  for (const name of named) {
    if (typeof given[name] !== typeof form[name]) {
      throw new TypeError(`The member “${name}” of the profile is of another type.`);
    }
  }
  return Object.fromEntries(named.map((name) => [name, given[name]]));
}

function isTexts(given: unknown): given is string[] {
  return (
    Array.isArray(given) && given.length > 0 && given.every((each) => typeof each === 'string')
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
