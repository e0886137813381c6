/** The SFTP part of a connection as its form has it: server, host key, login and folder. */
import {
  type FileServerForm,
  fileServerBody,
  fileServerFaults,
  readFileServer,
} from './fileServerConnection';
import { recordOf } from './record';

export interface SftpForm extends FileServerForm {
  login: 'password' | 'private_key';
  /** The login that the server has a secret of. */
  stored: 'password' | 'private_key' | null;
  host_key: string;
}

export const SSH_PORT = '22';

export const LOGINS: readonly { value: SftpForm['login']; label: string }[] = [
  { value: 'password', label: 'a password' },
  { value: 'private_key', label: 'a private key' },
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
  const hasKey = members.private_key_set === true;
  const hasPassword = members.password_set === true;
  return {
    ...readFileServer(given, SSH_PORT),
    login: hasKey ? 'private_key' : 'password',
    stored: hasKey ? 'private_key' : hasPassword ? 'password' : null,
    host_key: typeof members.host_key === 'string' ? members.host_key : '',
  };
}

/** What is sent of a form; a secret that is kept is not named. */
export function sftpBody(form: SftpForm): Record<string, unknown> {
  return {
    type: 'sftp',
    ...fileServerBody(form, SSH_PORT),
    host_key: form.host_key.trim(),
    ...(form.secret !== '' && { [form.login]: form.secret }),
  };
}

/** What is wrong with a form before it is sent, by field. */
export function sftpFaults(form: SftpForm): Record<string, string> {
  const faults = fileServerFaults(form);
  if (form.secret === '' && form.stored !== form.login) {
    faults[form.login] = `Enter the ${form.login === 'password' ? 'password' : 'private key'}.`;
  }
  return faults;
}
