/** The FTPS part of a connection as its form has it: server, certificate, login and folder. */
import {
  type FileServerForm,
  fileServerBody,
  fileServerFaults,
  readFileServer,
} from './fileServerConnection';
import { recordOf } from './record';

export interface FtpsForm extends FileServerForm {
  isPasswordStored: boolean;
  /** The fingerprint that a person has confirmed; empty: the certificate must be a trusted one. */
  certificate: string;
}

export const FTP_PORT = '21';

/** What to ask of a partner, to be copied. */
export const FTPS_QUESTIONS = `To exchange documents with you by FTPS (FTP with explicit TLS, passive mode) we need:
- the name of the server and its port
- a user name and a password
- the SHA-256 fingerprint of the server's certificate, unless it is of a public certificate authority
- the folder that takes our files, and the one in which you put yours

Files are named like 850_000000123_20260115140509.edi. While a file is written its name begins with a dot and ends with .tmp: please ignore such files, and do the same with yours.
`;

/** The form of an FTPS connection as the service gave it, or of a new one. */
export function readFtps(given: unknown): FtpsForm {
  const members = recordOf(given);
  return {
    ...readFileServer(given, FTP_PORT),
    isPasswordStored: members.password_set === true,
    certificate: typeof members.certificate === 'string' ? members.certificate : '',
  };
}

/** What is sent of a form; a password that is kept is not named. */
export function ftpsBody(form: FtpsForm): Record<string, unknown> {
  return {
    type: 'ftps',
    ...fileServerBody(form, FTP_PORT),
    certificate: form.certificate.trim(),
    ...(form.secret !== '' && { password: form.secret }),
  };
}

/** What is wrong with a form before it is sent, by field. */
export function ftpsFaults(form: FtpsForm): Record<string, string> {
  const faults = fileServerFaults(form);
  if (form.secret === '' && !form.isPasswordStored) faults.password = 'Enter the password.';
  return faults;
}
