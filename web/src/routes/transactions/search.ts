import { countOf, optional, textOf, wordOf } from '../search';

const SORTS = ['-created_at', 'created_at', '-updated_at', 'updated_at', '-id', 'id'];

/** What the list is narrowed by; statuses and sets may be several, by comma. */
export const transactionsSearch = optional((search) => ({
  q: textOf(search, 'q'),
  direction: wordOf(search, 'direction', ['inbound', 'outbound'] as const),
  tx_set: textOf(search, 'tx_set'),
  partner_id: textOf(search, 'partner_id'),
  status: textOf(search, 'status'),
  processing_status: textOf(search, 'processing_status'),
  validation_status: textOf(search, 'validation_status'),
  delivery_status: textOf(search, 'delivery_status'),
  ack_status: textOf(search, 'ack_status'),
  control_number: textOf(search, 'control_number'),
  business_key: textOf(search, 'business_key'),
  date_from: textOf(search, 'date_from'),
  date_to: textOf(search, 'date_to'),
  sort: wordOf<string>(search, 'sort', SORTS),
  offset: countOf(search, 'offset'),
}));

/** `tab`: what is shown of the transaction; `at`: path of the chosen element; `with`: beside which record. */
export const transactionSearch = optional((search) => ({
  tab: wordOf(search, 'tab', [
    'raw',
    'tree',
    'fields',
    'findings',
    'deliveries',
    'acks',
    'events',
    'compare',
  ] as const),
  at: textOf(search, 'at'),
  with: countOf(search, 'with'),
}));
