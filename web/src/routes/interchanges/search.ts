import { countOf, optional, textOf, wordOf } from '../search';

export const interchangesSearch = optional((search) => ({
  status: textOf(search, 'status'),
  partner_id: textOf(search, 'partner_id'),
  direction: wordOf(search, 'direction', ['inbound', 'outbound'] as const),
  date_from: textOf(search, 'date_from'),
  date_to: textOf(search, 'date_to'),
  offset: countOf(search, 'offset'),
}));
