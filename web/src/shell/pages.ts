import type { IconName } from '../ui/Icon';

/**
 * What the navigation and the command palette lead to: trade, then tools, then the account; some
 * only for the owners of an account.
 */
export const PAGES = [
  { to: '/app', name: 'Overview', icon: 'home', about: 'What happened, and what needs you' },
  {
    to: '/app/transactions',
    name: 'Transactions',
    icon: 'exchange',
    about: 'Every document sent and received',
  },
  {
    to: '/app/acks',
    name: 'Acknowledgements',
    icon: 'check',
    about: 'What partners answered, and what they owe',
  },
  { to: '/app/partners', name: 'Partners', icon: 'partners', about: 'Who you trade with' },
  {
    to: '/app/interchanges',
    name: 'Interchanges',
    icon: 'envelope',
    about: 'What came in, and what is in quarantine',
  },
  {
    to: '/app/inspect',
    name: 'Inspect',
    icon: 'search',
    about: 'Look into a document',
    isFirst: true,
  },
  { to: '/app/maps', name: 'Maps', icon: 'map', about: 'What turns one document into another' },
  { to: '/app/vault', name: 'Vault', icon: 'archive', about: 'Stored documents' },
  {
    to: '/app/keys',
    name: 'API keys',
    icon: 'key',
    about: 'What programs log in with',
    isFirst: true,
  },
  {
    to: '/app/users',
    name: 'Users',
    icon: 'users',
    about: 'Who may log in, and what they may do',
    forOwners: true,
  },
  { to: '/app/audit', name: 'Audit log', icon: 'file', about: 'Who did what', forOwners: true },
  { to: '/app/account', name: 'Account', icon: 'user', about: 'Password, sessions, plan' },
] as const satisfies readonly PageEntry[];

interface PageEntry {
  to: string;
  name: string;
  icon: IconName;
  about: string;
  forOwners?: true;
  /** Of its group. */
  isFirst?: true;
}

/** The pages that somebody of this role may open. */
export function pagesFor(role: string): readonly (typeof PAGES)[number][] {
  return PAGES.filter((page) => !('forOwners' in page) || role === 'owner');
}
