/**
 * A connection as its form has it. Secrets are written and never read: a kept one is sent as empty
 * or left out, and stays.
 */
import { type As2Form, as2Body, as2Faults, readAs2 } from './as2Connection';
import { type FtpsForm, ftpsBody, ftpsFaults, readFtps } from './ftpsConnection';
import { type MailboxForm, mailboxBody, mailboxFaults, readMailbox } from './mailboxConnection';
import type { ConnectionType } from './partners';
import { recordOf } from './record';
import { readSftp, type SftpForm, sftpBody, sftpFaults } from './sftpConnection';

export interface HeaderRow {
  name: string;
  value: string;
  /** There is a value on the server, which an empty one keeps. */
  isStored: boolean;
}

/** All kinds at once, so that nothing typed is lost when the type changes. */
export interface ConnectionForm {
  type: ConnectionType;
  url: string;
  content_type: string;
  headers: HeaderRow[];
  hasLogin: boolean;
  user: string;
  password: string;
  isPasswordStored: boolean;
  script: string;
  /** Code of `reject`, seconds of `late`; else empty. */
  scriptDetail: string;
  as2: As2Form;
  sftp: SftpForm;
  ftps: FtpsForm;
  mailbox: MailboxForm;
}

export const CONTENT_TYPE = 'application/edi-x12';
const TYPES: readonly ConnectionType[] = [
  ...(['http', 'as2', 'sftp', 'ftps', 'mailbox', 'simulator', 'none'] as const),
];

/** What the simulator can answer. */
export const SCRIPTS: readonly { value: string; label: string; detail?: string }[] = [
  { value: 'accept', label: 'accepts everything' },
  { value: 'accept_with_errors', label: 'accepts with errors' },
  { value: 'reject', label: 'rejects', detail: 'AK5 code, for example 5' },
  { value: 'partial', label: 'rejects the last set of each group' },
  { value: 'duplicate', label: 'accepts, twice' },
  { value: 'late', label: 'accepts, later', detail: 'Seconds, 60 if empty' },
  { value: 'never', label: 'does not answer' },
  { value: 'broken', label: 'answers with a broken 997' },
];

/** The form of a connection as the service gave it. */
export function readConnection(given: unknown): ConnectionForm {
  const members = recordOf(given);
  const basic = members.basic === null ? null : recordOf(members.basic);
  const [script = 'accept', scriptDetail = ''] = textOf(members.script, 'accept').split(':');
  const hasLogin = basic !== null && Object.keys(basic).length > 0;
  return {
    type: TYPES.find((each) => each === members.type) ?? 'none',
    url: textOf(members.url, ''),
    content_type:
      members.type === 'as2' ? CONTENT_TYPE : textOf(members.content_type, CONTENT_TYPE),
    headers: Object.keys(recordOf(members.headers)).map((name) => ({
      ...{ name, value: '', isStored: true },
    })),
    hasLogin,
    user: hasLogin ? textOf(basic.user, '') : '',
    password: '',
    isPasswordStored: hasLogin && basic.password_set === true,
    script,
    scriptDetail,
    as2: readAs2(members.type === 'as2' ? members : {}),
    sftp: readSftp(members.type === 'sftp' ? members : {}),
    ftps: readFtps(members.type === 'ftps' ? members : {}),
    mailbox: readMailbox(members.type === 'mailbox' ? members : {}),
  };
}

/** What is sent of a form; what is kept is not named. */
export function connectionBody(form: ConnectionForm): Record<string, unknown> {
  switch (form.type) {
    case 'none':
      return { type: 'none' };
    case 'simulator': {
      const detail = form.scriptDetail.trim();
      const takesDetail = SCRIPTS.some(({ value, detail: hint }) => value === form.script && hint);
      const script = takesDetail && detail !== '' ? `${form.script}:${detail}` : form.script;
      return { type: 'simulator', script };
    }
    case 'http':
      return {
        type: 'http',
        url: form.url.trim(),
        content_type: form.content_type.trim() || CONTENT_TYPE,
        headers: Object.fromEntries(form.headers.map(({ name, value }) => [name.trim(), value])),
        basic: form.hasLogin ? login(form) : null,
      };
    case 'as2':
      return as2Body(form.url, form.as2);
    case 'sftp':
      return sftpBody(form.sftp);
    case 'ftps':
      return ftpsBody(form.ftps);
    case 'mailbox':
      return mailboxBody(form.mailbox);
  }
}

function login({ user, password }: ConnectionForm): Record<string, string> {
  return { user: user.trim(), ...(password !== '' && { password }) };
}

/** What is wrong with a form before it is sent, by field. */
export function connectionFaults(form: ConnectionForm): Record<string, string> {
  switch (form.type) {
    case 'http':
      return httpFaults(form);
    case 'as2':
      return as2Faults(form.url, form.as2);
    case 'sftp':
      return sftpFaults(form.sftp);
    case 'ftps':
      return ftpsFaults(form.ftps);
    case 'mailbox':
      return mailboxFaults(form.mailbox);
    default:
      return {};
  }
}

function httpFaults(form: ConnectionForm): Record<string, string> {
  const names = form.headers.map(({ name }) => name.trim().toLowerCase());
  const faults: Record<string, string> = {};
  if (form.url.trim() === '')
    faults.url = 'Enter the URL that receives documents, for example https://….';
  if (names.includes(''))
    faults.headers = 'Every header needs a name. Remove the headers you do not need.';
  else if (new Set(names).size < names.length) faults.headers = 'This header occurs twice.';
  else if (form.headers.some(({ value, isStored }) => value === '' && !isStored)) {
    faults.headers = 'A new header needs its value.';
  }
  if (form.hasLogin && form.user.trim() === '') faults['basic.user'] = 'Enter the user name.';
  if (form.hasLogin && form.password === '' && !form.isPasswordStored) {
    faults['basic.password'] = 'Enter the password.';
  }
  return faults;
}

/** Faults of the service under the fields of the form of one environment, and those of no field. */
export function facedFaults(
  details: readonly { param?: string; message: string }[],
  environment: 'test' | 'live',
): Record<string, string> {
  const prefix = `connections.${environment}.`;
  return Object.fromEntries(
    details.flatMap(({ param = '', message }) =>
      param.startsWith(prefix) ? [[fieldOf(param.slice(prefix.length)), message]] : [],
    ),
  );
}

function fieldOf(param: string): string {
  return /^(headers|certificates|public_keys)/.exec(param)?.[0] ?? param;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
