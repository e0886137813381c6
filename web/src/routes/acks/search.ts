import {
  countOf,
  dayOf,
  flagOf,
  formOf,
  idOf,
  optional,
  setsOf,
  wordOf,
  wordsOf,
} from '../../core/address';

export const TABS = ['pending', 'received', 'sent'] as const;
/** In the order in which a choice offers them: trouble first. */
export const RESULTS = [
  'rejected',
  'partially_accepted',
  'accepted_with_errors',
  'accepted',
] as const;
export const TYPES = ['997', '999', 'TA1', '277CA', '824'] as const;

/** A code and where: the form of a text, and that in words. */
export const ERROR = {
  fits: /^(none|[A-Z0-9?]{1,3}@[A-Z0-9?]{1,3}(\.[0-9?]{1,2}){0,2})$/,
  hint: 'For example 7@PO1.06, or none',
};

/** `tab`: outstanding, received or sent; `ack`: the row that is opened. */
export const acksSearch = optional((search) => ({
  tab: wordOf(search, 'tab', TABS),
  result: wordsOf(search, 'result', RESULTS),
  ack_type: wordsOf(search, 'ack_type', TYPES),
  partner_id: idOf(search, 'partner_id'),
  tx_set: setsOf(search, 'tx_set'),
  error: formOf(search, 'error', ERROR.fits),
  overdue: flagOf(search, 'overdue'),
  open: flagOf(search, 'open'),
  date_from: dayOf(search, 'date_from'),
  date_to: dayOf(search, 'date_to'),
  offset: countOf(search, 'offset'),
  ack: countOf(search, 'ack'),
}));
