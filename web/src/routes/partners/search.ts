import { countOf, flagOf, optional, textOf, wordOf } from '../../core/address';
import { PARTNER_STATUSES } from '../../core/partners';

export const partnersSearch = optional((search) => ({
  q: textOf(search, 'q'),
  partner_status: wordOf(search, 'partner_status', PARTNER_STATUSES),
  offset: countOf(search, 'offset'),
  new: flagOf(search, 'new'),
}));

/** The tabs of a partner; the first is shown where the address names none. */
export const PARTNER_TABS = [
  'setup',
  'identity',
  'connection',
  'maps',
  'settings',
  'numbers',
] as const;

export const partnerSearch = optional((search) => ({
  tab: wordOf(search, 'tab', PARTNER_TABS),
}));
