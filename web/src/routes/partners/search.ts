import { countOf, flagOf, optional, textOf, wordOf } from '../search';

export const partnersSearch = optional((search) => ({
  q: textOf(search, 'q'),
  partner_status: textOf(search, 'partner_status'),
  offset: countOf(search, 'offset'),
  new: flagOf(search, 'new'),
}));

export const partnerSearch = optional((search) => ({
  tab: wordOf(search, 'tab', ['setup', 'connection', 'settings', 'maps', 'numbers'] as const),
}));
