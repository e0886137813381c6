/** The AS2 part of a connection as its form has it: names, certificates and algorithms. */

export interface As2Form {
  as2_from: string;
  as2_to: string;
  /** One or two certificates of the partner in PEM, one after the other. */
  certificates: string;
  sign: boolean;
  encrypt: boolean;
  compress: boolean;
  sign_algorithm: string;
  encrypt_algorithm: string;
  oaep: boolean;
  mdn: string;
  mdn_signed: boolean;
  transfer_encoding: string;
  content_type: string;
}

export const AS2_CONTENT_TYPE = 'application/EDI-X12';

/** Digests; what is weak is for partners that have nothing else. */
export const SIGN_ALGORITHMS: readonly { value: string; label: string }[] = [
  { value: 'sha256', label: 'SHA-256' },
  { value: 'sha384', label: 'SHA-384' },
  { value: 'sha512', label: 'SHA-512' },
  { value: 'sha1', label: 'SHA-1 (weak)' },
  { value: 'md5', label: 'MD5 (weak)' },
];

export const ENCRYPT_ALGORITHMS: readonly { value: string; label: string }[] = [
  { value: 'aes256_cbc', label: 'AES-256-CBC' },
  { value: 'aes192_cbc', label: 'AES-192-CBC' },
  { value: 'aes128_cbc', label: 'AES-128-CBC' },
  { value: 'aes256_gcm', label: 'AES-256-GCM' },
  { value: 'aes192_gcm', label: 'AES-192-GCM' },
  { value: 'aes128_gcm', label: 'AES-128-GCM' },
  { value: '3des', label: 'Triple DES (weak)' },
];

export const MDN_MODES: readonly { value: string; label: string }[] = [
  { value: 'sync', label: 'in the answer' },
  { value: 'async', label: 'in a connection of its own' },
  { value: 'none', label: 'not requested' },
];

/** What to send to a partner before anything else. */
export const AS2_QUESTIONS = `To exchange documents with you by AS2 we need:
- your AS2 name, for test and for live documents
- the URL of your AS2 server
- your certificate for signature and encryption in PEM, and its SHA-256 fingerprint over another channel
- whether messages are signed and encrypted, and with which algorithms
- whether receipts (MDN) are signed, and whether they come in the answer or in a connection of their own

If you use Longshore, send us your AS2 profile as a file instead.
`;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The form of an AS2 connection as the service gave it, or of a new one. */
export function readAs2(members: Readonly<Record<string, unknown>>): As2Form {
  const text = (name: string, otherwise: string) => {
    const value = members[name];
    return typeof value === 'string' ? value : otherwise;
  };
  const flag = (name: string, otherwise: boolean) => {
    const value = members[name];
    return typeof value === 'boolean' ? value : otherwise;
  };
  const certificates = Array.isArray(members.certificates) ? members.certificates : [];
  return {
    as2_from: text('as2_from', ''),
    as2_to: text('as2_to', ''),
    certificates: certificates.map((each) => String(each).trim()).join('\n'),
    sign: flag('sign', true),
    encrypt: flag('encrypt', true),
    compress: flag('compress', false),
    sign_algorithm: text('sign_algorithm', 'sha256'),
    encrypt_algorithm: text('encrypt_algorithm', 'aes256_cbc'),
    oaep: flag('oaep', false),
    mdn: text('mdn', 'sync'),
    mdn_signed: flag('mdn_signed', true),
    transfer_encoding: text('transfer_encoding', 'binary'),
    content_type: text('content_type', AS2_CONTENT_TYPE),
  };
}

/** What is sent of a form. */
export function as2Body(url: string, form: As2Form): Record<string, unknown> {
  return {
    ...form,
    type: 'as2',
    url: url.trim(),
    as2_from: form.as2_from.trim(),
    as2_to: form.as2_to.trim(),
    certificates: certificatesIn(form.certificates),
    content_type: form.content_type.trim() || AS2_CONTENT_TYPE,
  };
}

/** Each certificate of a text; a text without one as it is, so that the service refuses it. */
function certificatesIn(text: string): string[] {
  if (text.trim() === '') return [];
  return text.match(CERTIFICATE)?.map((each) => `${each}\n`) ?? [text];
}

/** What is wrong with a form before it is sent, by field. */
export function as2Faults(url: string, form: As2Form): Record<string, string> {
  const faults: Record<string, string> = {};
  if (url.trim() === '') faults.url = 'Enter the AS2 URL of the partner.';
  if (form.as2_from.trim() === '') faults.as2_from = 'Enter your AS2 name.';
  if (form.as2_to.trim() === '') faults.as2_to = 'Enter the AS2 name of the partner.';
  return faults;
}
