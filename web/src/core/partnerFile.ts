/** A partner as a file: what the commands export and import as well. */
import { recordOf } from './record';

/** Members that the service says, or that are of one account only. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...[
    'id',
    'revision',
    'allowed_statuses',
    'inbound_url_test',
    'inbound_url',
    'edi_identity',
    'connection_type',
  ],
  ...['connection_status', 'circuit_breaker', 'last_activity_at', 'created_at', 'updated_at'],
]);
/** With these a new partner may begin. */
const FIRST_STATUSES: readonly unknown[] = ['pending', 'testing'];

/** The text of the file for a partner; its secrets are not in it. */
export function partnerFile(partner: object): string {
  const members = Object.entries(partner).filter(([name]) => !LEFT_OUT.has(name));
  return `${JSON.stringify(Object.fromEntries(members), null, 2)}\n`;
}

/** What is sent of a file to add the partner; it begins with testing whatever it was. */
export function partnerOfFile(text: string): string {
  const members = recordOf(parsed(text));
  if (Array.isArray(parsed(text)) || typeof members.name !== 'string') {
    throw new TypeError(
      'This file does not contain a partner: expected a JSON object with a name.',
    );
  }
  const isFirst = FIRST_STATUSES.includes(members.partner_status);
  return JSON.stringify({ ...members, ...(!isFirst && { partner_status: null }) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A name for the file, of characters that every system takes. */
export function partnerFileName(name: string, id: number): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${plain === '' ? `partner-${id}` : plain}.json`;
}
