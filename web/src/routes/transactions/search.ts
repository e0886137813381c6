import {
  countOf,
  dayOf,
  flagOf,
  idOf,
  LONGEST_PATH,
  optional,
  type Search,
  setsOf,
  textOf,
  wordOf,
  wordsOf,
} from '../../core/address';
import {
  ACK_STATUSES,
  DELIVERY_STATUSES,
  keysOf,
  PROCESSING_STATUSES,
  TRANSACTION_STATUSES,
  VALIDATION_STATUSES,
} from '../../core/statusWords';

const SORTS = ['-created_at', 'created_at', '-updated_at', 'updated_at', '-id', 'id'];

/** The filters of the list; statuses and sets may be several, separated by commas. */
const filtersOf = (search: Search) => ({
  q: textOf(search, 'q'),
  direction: wordOf(search, 'direction', ['inbound', 'outbound'] as const),
  tx_set: setsOf(search, 'tx_set'),
  partner_id: idOf(search, 'partner_id'),
  status: wordsOf(search, 'status', keysOf(TRANSACTION_STATUSES)),
  processing_status: wordsOf(search, 'processing_status', keysOf(PROCESSING_STATUSES)),
  validation_status: wordsOf(search, 'validation_status', keysOf(VALIDATION_STATUSES)),
  delivery_status: wordsOf(search, 'delivery_status', keysOf(DELIVERY_STATUSES)),
  ack_status: wordsOf(search, 'ack_status', keysOf(ACK_STATUSES)),
  control_number: textOf(search, 'control_number'),
  business_key: textOf(search, 'business_key'),
  open: flagOf(search, 'open'),
  date_from: dayOf(search, 'date_from'),
  date_to: dayOf(search, 'date_to'),
});

/** The names of all filters. */
export const TRANSACTION_FILTERS: ReadonlySet<string> = new Set(Object.keys(filtersOf({})));

export const transactionsSearch = optional((search) => ({
  ...filtersOf(search),
  sort: wordOf<string>(search, 'sort', SORTS),
  offset: countOf(search, 'offset'),
}));

/** `tab`: what is shown of the transaction; `at`: path of the chosen element; `with`: the record to compare with. */
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
  at: textOf(search, 'at', LONGEST_PATH),
  with: countOf(search, 'with'),
}));
