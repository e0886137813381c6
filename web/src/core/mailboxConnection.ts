/** The mailbox of a partner on our own SFTP server as its form has it: how the partner logs in. */
import { recordOf } from './record';

export interface MailboxForm {
  /** Written and never read. */
  password: string;
  isPasswordStored: boolean;
  /** Public keys, one a line. */
  public_keys: string;
}

/** The form of a mailbox as the service gave it, or of a new one. */
export function readMailbox(given: unknown): MailboxForm {
  const members = recordOf(given);
  const keys = Array.isArray(members.public_keys) ? members.public_keys : [];
  return {
    password: '',
    isPasswordStored: members.password_set === true,
    public_keys: keys.filter((each) => typeof each === 'string').join('\n'),
  };
}

/** What is sent of a form; a password that is kept is not named. */
export function mailboxBody(form: MailboxForm): Record<string, unknown> {
  return {
    type: 'mailbox',
    public_keys: keysOf(form),
    ...(form.password !== '' && { password: form.password }),
  };
}

/** What is wrong with a form before it is sent, by field. */
export function mailboxFaults(form: MailboxForm): Record<string, string> {
  const hasLogin = form.password !== '' || form.isPasswordStored || keysOf(form).length > 0;
  return hasLogin ? {} : { password: 'Enter a password or a public key.' };
}

function keysOf(form: MailboxForm): string[] {
  return form.public_keys
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
