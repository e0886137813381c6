import { countOf, flagOf, optional, textOf, wordOf } from '../search';

/** `tab`: what partners owe, what they answered, what we answered; `ack`: the row that is opened. */
export const acksSearch = optional((search) => ({
  tab: wordOf(search, 'tab', ['pending', 'received', 'sent'] as const),
  result: textOf(search, 'result'),
  ack_type: textOf(search, 'ack_type'),
  partner_id: textOf(search, 'partner_id'),
  tx_set: textOf(search, 'tx_set'),
  error: textOf(search, 'error'),
  overdue: flagOf(search, 'overdue'),
  date_from: textOf(search, 'date_from'),
  date_to: textOf(search, 'date_to'),
  offset: countOf(search, 'offset'),
  ack: countOf(search, 'ack'),
}));
