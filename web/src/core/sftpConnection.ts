/** The SFTP part of a connection as its form has it: server, host key, login and folder. */
import { recordOf } from './record';

export interface SftpForm {
  host: string;
  port: string;
  user: string;
  login: 'password' | 'private_key';
  /** The password or the private key, written and never read. */
  secret: string;
  /** The login that the server has a secret of. */
  stored: 'password' | 'private_key' | null;
  host_key: string;
  upload_dir: string;
  /** Empty: nothing is fetched. */
  download_dir: string;
  pattern: string;
  /** The pause between two polls, in seconds. */
  poll_seconds: string;
  after_download: string;
  mailbox: string;
}

export const SSH_PORT = '22';

export const LOGINS: readonly { value: SftpForm['login']; label: string }[] = [
  { value: 'password', label: 'a password' },
  { value: 'private_key', label: 'a private key' },
];

const PATTERN = '*';
const POLL_SECONDS = '300';

/** What becomes of a file that was fetched. */
export const AFTER_DOWNLOAD: readonly { value: string; label: string }[] = [
  { value: 'archive', label: 'move it to the folder archive' },
  { value: 'delete', label: 'delete it' },
];

/** Whose files lie in the folder. */
export const MAILBOX_USES: readonly { value: string; label: string }[] = [
  { value: 'own', label: 'this partner only' },
  { value: 'shared', label: 'many partners, as with a VAN' },
];

/** What to ask of a partner, to be copied. */
export const SFTP_QUESTIONS = `To exchange documents with you by SFTP we need:
- the name of the server and its port
- a user name, and a password or your consent to a public key of ours
- the SHA-256 fingerprint of the host key
- the folder that takes our files, and the one in which you put yours

Files are named like 850_000000123_20260115140509.edi. While a file is written its name begins with a dot and ends with .tmp: please ignore such files, and do the same with yours.
`;

/** The form of an SFTP connection as the service gave it, or of a new one. */
export function readSftp(given: unknown): SftpForm {
  const members = recordOf(given);
  const text = (name: string, otherwise: string) => {
    const value = members[name];
    return typeof value === 'string' ? value : otherwise;
  };
  const whole = (name: string, otherwise: string) => {
    const value = members[name];
    return typeof value === 'number' ? String(value) : otherwise;
  };
  const hasKey = members.private_key_set === true;
  const hasPassword = members.password_set === true;
  return {
    host: text('host', ''),
    port: whole('port', SSH_PORT),
    user: text('user', ''),
    login: hasKey ? 'private_key' : 'password',
    secret: '',
    stored: hasKey ? 'private_key' : hasPassword ? 'password' : null,
    host_key: text('host_key', ''),
    upload_dir: text('upload_dir', '/'),
    download_dir: text('download_dir', ''),
    pattern: text('pattern', PATTERN),
    poll_seconds: whole('poll_seconds', POLL_SECONDS),
    after_download: text('after_download', 'archive'),
    mailbox: text('mailbox', 'own'),
  };
}

/** What is sent of a form; a secret that is kept is not named. */
export function sftpBody(form: SftpForm): Record<string, unknown> {
  return {
    type: 'sftp',
    host: form.host.trim(),
    port: numberOr(form.port, SSH_PORT),
    user: form.user.trim(),
    host_key: form.host_key.trim(),
    upload_dir: form.upload_dir.trim(),
    download_dir: form.download_dir.trim(),
    pattern: form.pattern.trim() || PATTERN,
    poll_seconds: numberOr(form.poll_seconds, POLL_SECONDS),
    after_download: form.after_download,
    mailbox: form.mailbox,
    ...(form.secret !== '' && { [form.login]: form.secret }),
  };
}

/** The number of a text; what is none as it is, so that the service refuses it. */
function numberOr(text: string, otherwise: string): number | string {
  const given = text.trim() || otherwise;
  return /^[0-9]{1,5}$/.test(given) ? Number(given) : given;
}

/** What is wrong with a form before it is sent, by field. */
export function sftpFaults(form: SftpForm): Record<string, string> {
  const faults: Record<string, string> = {};
  if (form.host.trim() === '') faults.host = 'Enter the name of the server.';
  if (form.user.trim() === '') faults.user = 'Enter the user name.';
  if (form.secret === '' && form.stored !== form.login) {
    faults[form.login] = `Enter the ${form.login === 'password' ? 'password' : 'private key'}.`;
  }
  return faults;
}
