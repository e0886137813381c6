import type { IconName } from '../ui/Icon';

/** What the navigation and the command palette lead to. */
export const PAGES = [
  { to: '/app', name: 'Overview', icon: 'home', about: 'Where to begin, and what happened' },
  { to: '/app/inspect', name: 'Inspect', icon: 'search', about: 'Look into a document' },
  { to: '/app/maps', name: 'Maps', icon: 'map', about: 'What turns one document into another' },
  { to: '/app/vault', name: 'Vault', icon: 'archive', about: 'Stored documents' },
  { to: '/app/keys', name: 'API keys', icon: 'key', about: 'What programs log in with' },
  { to: '/app/account', name: 'Account', icon: 'user', about: 'Password, sessions, plan' },
] as const satisfies readonly { to: string; name: string; icon: IconName; about: string }[];
