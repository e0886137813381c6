/** What the forms of SFTP and FTPS connections have in common: server, user and folders. */
import { recordOf } from './record';

export interface FileServerForm {
  host: string;
  port: string;
  user: string;
  /** The password or the private key, written and never read. */
  secret: string;
  upload_dir: string;
  /** Empty: nothing is fetched. */
  download_dir: string;
  pattern: string;
  /** The pause between two polls, in seconds. */
  poll_seconds: string;
  after_download: string;
  mailbox: string;
}

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

/** The common part of a connection as the service gave it, or of a new one. */
export function readFileServer(given: unknown, defaultPort: string): FileServerForm {
  const members = recordOf(given);
  const text = (name: string, otherwise: string) => {
    const value = members[name];
    return typeof value === 'string' ? value : otherwise;
  };
  const whole = (name: string, otherwise: string) => {
    const value = members[name];
    return typeof value === 'number' ? String(value) : otherwise;
  };
  return {
    host: text('host', ''),
    port: whole('port', defaultPort),
    user: text('user', ''),
    secret: '',
    upload_dir: text('upload_dir', '/'),
    download_dir: text('download_dir', ''),
    pattern: text('pattern', PATTERN),
    poll_seconds: whole('poll_seconds', POLL_SECONDS),
    after_download: text('after_download', 'archive'),
    mailbox: text('mailbox', 'own'),
  };
}

/** What is sent of the common part, without a secret. */
export function fileServerBody(form: FileServerForm, defaultPort: string): Record<string, unknown> {
  return {
    host: form.host.trim(),
    port: numberOr(form.port, defaultPort),
    user: form.user.trim(),
    upload_dir: form.upload_dir.trim(),
    download_dir: form.download_dir.trim(),
    pattern: form.pattern.trim() || PATTERN,
    poll_seconds: numberOr(form.poll_seconds, POLL_SECONDS),
    after_download: form.after_download,
    mailbox: form.mailbox,
  };
}

/** The number of a text; what is none as it is, so that the service refuses it. */
function numberOr(text: string, otherwise: string): number | string {
  const given = text.trim() || otherwise;
  return /^[0-9]{1,5}$/.test(given) ? Number(given) : given;
}

/** What is wrong with the common part before it is sent, by field. */
export function fileServerFaults(form: FileServerForm): Record<string, string> {
  const faults: Record<string, string> = {};
  if (form.host.trim() === '') faults.host = 'Enter the name of the server.';
  if (form.user.trim() === '') faults.user = 'Enter the user name.';
  return faults;
}
