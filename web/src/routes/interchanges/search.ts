import { countOf, dayOf, idOf, optional, wordOf, wordsOf } from '../../core/address';
import { INTERCHANGE_STATUSES } from '../../core/interchangeWords';

export const interchangesSearch = optional((search) => ({
  status: wordsOf(search, 'status', Object.keys(INTERCHANGE_STATUSES)),
  partner_id: idOf(search, 'partner_id'),
  direction: wordOf(search, 'direction', ['inbound', 'outbound'] as const),
  date_from: dayOf(search, 'date_from'),
  date_to: dayOf(search, 'date_to'),
  offset: countOf(search, 'offset'),
}));
