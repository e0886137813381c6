/** The roles of users in words. */
import type { Role } from './keys';

export const ROLES: Readonly<Record<Role, { word: string; about: string }>> = {
  owner: {
    word: 'Owner',
    about: 'Full access, including users, the account, production keys and the audit log.',
  },
  editor: {
    word: 'Editor',
    about:
      'Daily work: sends and corrects documents, changes partners and maps, handles quarantine, creates sandbox keys.',
  },
  viewer: { word: 'Viewer', about: 'Read-only access to daily work.' },
};

/** From the most that one may do to the least. */
export const ROLE_NAMES = ['owner', 'editor', 'viewer'] as const satisfies readonly Role[];

/** The role that a text names, else the least. */
export function roleOf(text: string): Role {
  return ROLE_NAMES.find((role) => role === text) ?? 'viewer';
}
