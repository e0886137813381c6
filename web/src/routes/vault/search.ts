import { countOf, dayOf, formOf, LONGEST_PATH, optional, textOf, wordOf } from '../../core/address';
import { FORMATS } from '../../core/inspection';

/** The code of one set: the form of a text, and that in words. */
export const SET = { fits: /^[0-9A-Za-z]{1,6}$/, hint: 'Such as 850' };

export const vaultSearch = optional((search) => ({
  q: textOf(search, 'q'),
  fmt: wordOf(search, 'fmt', FORMATS),
  direction: wordOf(search, 'direction', ['inbound', 'outbound'] as const),
  transaction_set: formOf(search, 'transaction_set', SET.fits),
  map_id: countOf(search, 'map_id'),
  date_from: dayOf(search, 'date_from'),
  date_to: dayOf(search, 'date_to'),
  offset: countOf(search, 'offset'),
}));

/** `tab`: how it is shown; `at`: path of the chosen row of the tree. */
export const storedSearch = optional((search) => ({
  tab: wordOf(search, 'tab', ['raw', 'tree', 'source'] as const),
  at: textOf(search, 'at', LONGEST_PATH),
}));
