/** What the command palette finds, in the words of its rows. */
import { type Stated, statusWords } from './statusWords';
import { visibleText } from './visible';

/** The two lines of a row. */
export interface RowWords {
  label: string;
  description: string;
}

/** Whether a row has what was typed; `alias`: what else people call it. */
export function fits(row: RowWords & { alias?: string }, typed: string): boolean {
  const { label, description, alias = '' } = row;
  return `${label} ${description} ${alias}`.toLowerCase().includes(typed.trim().toLowerCase());
}

interface FoundRecord extends Stated {
  id: number;
  direction: 'inbound' | 'outbound';
  tx_set: string;
  tx_set_name: string;
  business_key: string;
  partner_name: string;
}

/** `850 Purchase order PO-12345` and `Rejected, sent to Northwind Retail, number 10042`. */
export function recordWords(record: FoundRecord): RowWords {
  const { id, direction, tx_set, tx_set_name, business_key, partner_name } = record;
  const called = [tx_set, tx_set_name, business_key].filter((each) => each !== '').join(' ');
  const verb = direction === 'outbound' ? 'sent to' : 'received from';
  const partner = partner_name === '' ? 'an unknown partner' : partner_name;
  return {
    label: visibleText(called) || `Transaction ${id}`,
    description: visibleText(`${statusWords(record).word}, ${verb} ${partner}, number ${id}`),
  };
}

/** `3 found.`, for screen readers. */
export function foundWords(count: number): string {
  if (count > 0) return `${count} found.`;
  return 'Nothing has this name or number. Enter numbers completely, as they are written: PO-12345.';
}
