import type { IconName } from '../ui/Icon';

/**
 * What the navigation and the command palette lead to: trade, then tools, then the account; some
 * only for the owners of an account.
 */
export const PAGES = [
  { to: '/app', name: 'Overview', icon: 'home', about: 'Activity, and what needs attention' },
  {
    to: '/app/transactions',
    name: 'Transactions',
    icon: 'exchange',
    about: 'All sent and received documents',
  },
  {
    to: '/app/acks',
    name: 'Acknowledgements',
    icon: 'check',
    about: 'Received, sent and outstanding acknowledgements',
  },
  {
    to: '/app/partners',
    name: 'Partners',
    icon: 'partners',
    about: 'The companies you trade with',
  },
  {
    to: '/app/interchanges',
    name: 'Interchanges',
    icon: 'envelope',
    about: 'Received and sent envelopes, and the quarantine',
  },
  {
    to: '/app/inspect',
    name: 'Inspect',
    icon: 'search',
    about: 'Check a document',
    isFirst: true,
  },
  {
    to: '/app/maps',
    name: 'Maps',
    icon: 'map',
    about: 'Rules that convert one document into another',
  },
  { to: '/app/vault', name: 'Vault', icon: 'archive', about: 'Stored documents' },
  {
    to: '/app/keys',
    name: 'API keys',
    icon: 'key',
    about: 'Keys for programs that call the API',
    isFirst: true,
  },
  {
    to: '/app/webhooks',
    name: 'Webhooks',
    icon: 'bell',
    about: 'URLs of yours that are called about events',
  },
  {
    to: '/app/users',
    name: 'Users',
    icon: 'users',
    about: 'Users and their roles',
    forOwners: true,
  },
  {
    to: '/app/audit',
    name: 'Audit log',
    icon: 'file',
    about: 'Actions of users and programs',
    forOwners: true,
  },
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
