/** Texts for acknowledgements: their codes, their errors, and the outstanding ones. */
import { counted } from './treeWords';

/** AK501 and IK501; of a TA1 TA104. */
const OUTCOMES: Readonly<Record<string, string>> = {
  A: 'accepted',
  E: 'accepted, errors were noted',
  P: 'partly accepted',
  R: 'rejected',
  M: 'rejected: message authentication failed',
  W: 'rejected: assurance failed',
  X: 'rejected: decryption failed',
};

/** AK502 to AK506 and IK502 to IK506. */
const SET_ERRORS: Readonly<Record<string, string>> = {
  1: 'Transaction set not supported',
  2: 'Transaction set trailer missing',
  3: 'Control numbers of header and trailer differ',
  4: 'Segment count is wrong',
  5: 'Segments in error',
  6: 'Transaction set id missing or invalid',
  7: 'Control number missing or invalid',
  8: 'Authentication key unknown',
  9: 'Encryption key unknown',
  10: 'Service not available',
  11: 'Security recipient unknown',
  12: 'Message length incorrect',
  13: 'Authentication code failed',
  15: 'Security originator unknown',
  16: 'Syntax error in decrypted text',
  17: 'Security not supported',
  18: 'Transaction set not in this group',
  19: 'Reference to the implementation convention invalid',
  23: 'Control number not unique in the group',
  24: 'S3E missing',
  25: 'S3S missing',
  26: 'S4E missing',
  27: 'S4S missing',
  I5: 'Segments violate the implementation guide',
  I6: 'Implementation convention not supported',
};

/** TA105. */
export const INTERCHANGE_ERRORS: Readonly<Record<string, string>> = {
  '001': 'Control numbers of ISA and IEA differ',
  '002': 'Standard not supported',
  '003': 'Version of the controls not supported',
  '004': 'Segment terminator invalid',
  '005': 'Sender qualifier invalid',
  '006': 'Sender id invalid',
  '007': 'Receiver qualifier invalid',
  '008': 'Receiver id invalid',
  '009': 'Receiver id unknown',
  '010': 'Authorisation qualifier invalid',
  '011': 'Authorisation information invalid',
  '012': 'Security qualifier invalid',
  '013': 'Security information invalid',
  '014': 'Interchange date invalid',
  '015': 'Interchange time invalid',
  '016': 'Standards id (ISA11) invalid',
  '017': 'Version (ISA12) invalid',
  '018': 'Control number (ISA13) invalid',
  '019': 'Acknowledgement requested (ISA14) invalid',
  '020': 'Test indicator (ISA15) invalid',
  '021': 'Group count is wrong',
  '022': 'Control structure invalid',
  '023': 'The file ends too early',
  '024': 'Invalid content, for example in the GS segment',
  '025': 'Control number (ISA13) was used before',
  '026': 'Element separator invalid',
  '027': 'Component separator invalid',
  '028': 'Date of deferred delivery invalid',
  '029': 'Time of deferred delivery invalid',
  '030': 'Code of deferred delivery invalid',
  '031': 'Grade of service invalid',
};

/** STC01-1 of a 277CA, about all of its claims. */
const CLAIM_CATEGORIES: Readonly<Record<string, string>> = {
  A0: 'forwarded',
  A1: 'received',
  A2: 'accepted for processing',
  A3: 'returned as unprocessable',
  A4: 'not found',
  A5: 'split',
  A6: 'rejected: information is missing',
  A7: 'rejected: information is invalid',
  A8: 'rejected: values contradict each other',
};

/** What OTI01 of an 824 says; its first letter is what it is about. */
const ADVICE: Readonly<Record<string, string>> = {
  A: 'accepted',
  C: 'accepted with changes',
  E: 'accepted, errors were noted',
  P: 'partly accepted',
  R: 'rejected',
};

interface Answer {
  ack_type: string;
  transaction_code: string;
  transaction_error_codes: readonly string[];
}

/** The code of the answer with what it means: `R, rejected`; "" if the answer lists none. */
export function outcomeInWords({
  ack_type,
  transaction_code: code,
}: Pick<Answer, 'ack_type' | 'transaction_code'>) {
  if (code === '') return '';
  const meaning = { '277CA': CLAIM_CATEGORIES[code], '824': ADVICE[code.slice(1)] };
  const words = ack_type in meaning ? meaning[ack_type as keyof typeof meaning] : OUTCOMES[code];
  return `${code}, ${words ?? 'a code that X12 does not define'}`;
}

/** STC01-2 of a 277CA, those that Longshore writes itself. */
const CLAIM_CODES: Readonly<Record<string, string>> = {
  '19': 'received',
  '20': 'accepted',
  '400': 'amounts do not add up',
  '684': 'syntax error, see the 999',
};

interface ClaimCounts {
  accepted: number;
  rejected: number;
  unclear: number;
  not_ours: number;
  unanswered: number | null;
  listed: number;
}

/** What a 277CA says of its claims: `2 claims accepted, 1 rejected. 3 are not answered.` */
export function claimsInWords(counts: ClaimCounts): string {
  const { accepted, rejected, unclear, not_ours, unanswered, listed } = counts;
  const total = accepted + rejected + unclear;
  const parts = [`${counted(accepted, 'claim')} accepted`, `${rejected} rejected`];
  if (unclear > 0) parts.push(`${unclear} without a clear result`);
  const sentences = [`${parts.join(', ')}.`];
  if (not_ours > 0) sentences.push(`${counted(not_ours, 'claim')} of it not in our document.`);
  if (unanswered) sentences.push(`${counted(unanswered, 'claim')} of our document not answered.`);
  if (listed < total) sentences.push(`The first ${listed.toLocaleString('en')} are listed.`);
  return sentences.join(' ');
}

/** Each error code of the whole set with what it means: `5, Segments in error`. */
export function errorsInWords({ ack_type, transaction_error_codes: codes }: Answer): string[] {
  const tables = { TA1: INTERCHANGE_ERRORS, '277CA': CLAIM_CODES };
  const table = ack_type in tables ? tables[ack_type as keyof typeof tables] : SET_ERRORS;
  return codes
    .filter((code) => code !== '' && code !== '000')
    .map((code) => `${code}, ${table[code] ?? 'a code that X12 does not define'}`);
}

interface AckErrorPlace {
  segment_id: string;
  segment_position: number | null;
  element_position: number | null;
  component_position: number | null;
}

/** Where a partner sees a fault, as it counts: `PO1, segment 8, element 6, component 2`. */
export function placeOfAckError(ackError: AckErrorPlace): string {
  const { segment_id, segment_position, element_position, component_position } = ackError;
  const parts = [
    segment_id,
    segment_position === null ? '' : `segment ${segment_position}`,
    element_position === null ? '' : `element ${element_position}`,
    component_position === null ? '' : `component ${component_position}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

interface OutstandingAck {
  partner_id: number | null;
  partner_name: string;
  overdue: boolean;
  expected_by: string | null;
}

/** The outstanding acknowledgements of one partner. `due`: when the first of them is due. */
export interface PartnerOutstanding {
  id: number | null;
  name: string;
  count: number;
  overdue: number;
  due: string | null;
}

/** Group outstanding acknowledgements by partner: most overdue first, then most outstanding. */
export function outstandingByPartner(rows: readonly OutstandingAck[]): PartnerOutstanding[] {
  const partners = new Map<number | null, PartnerOutstanding>();
  for (const { partner_id, partner_name, overdue, expected_by } of rows) {
    const entry = partners.get(partner_id) ?? {
      id: partner_id,
      name: partner_name,
      count: 0,
      overdue: 0,
      due: null,
    };
    entry.count += 1;
    entry.overdue += overdue ? 1 : 0;
    entry.due = earlier(entry.due, expected_by);
    partners.set(partner_id, entry);
  }
  return [...partners.values()].sort(
    (one, other) => other.overdue - one.overdue || other.count - one.count,
  );
}

// The times of the service have one length and zone, so texts compare as times do.
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** `5 acknowledgements of 2 partners are outstanding, 1 of them overdue.` */
export function outstandingSummary(partners: readonly PartnerOutstanding[]): string {
  const count = partners.reduce((sum, entry) => sum + entry.count, 0);
  const overdue = partners.reduce((sum, entry) => sum + entry.overdue, 0);
  const verb = count === 1 ? 'is' : 'are';
  const late = overdue === 0 ? '' : `, ${overdue.toLocaleString('en')} of them overdue`;
  const of = counted(partners.length, 'partner');
  return `${counted(count, 'acknowledgement')} of ${of} ${verb} outstanding${late}.`;
}

/** Overdue rows first, and of both kinds what was due first. */
export function byUrgency<Row extends OutstandingAck>(rows: readonly Row[]): Row[] {
  const due = ({ expected_by }: Row) => expected_by ?? '9999';
  return [...rows].sort(
    (one, other) =>
      Number(other.overdue) - Number(one.overdue) || due(one).localeCompare(due(other)),
  );
}
