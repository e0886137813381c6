/** The roles of users in words. */
import type { Role } from './keys';

export const ROLES: Readonly<Record<Role, { word: string; about: string }>> = {
  owner: {
    word: 'Owner',
    about: 'Everything, with users, the account, production keys and the audit log.',
  },
  editor: {
    word: 'Editor',
    about:
      'Daily work: sends and corrects documents, changes partners and maps, decides about quarantine, makes sandbox keys.',
  },
  viewer: { word: 'Viewer', about: 'Looks at everything in daily work and changes nothing.' },
};

/** From the most that one may do to the least. */
export const ROLE_NAMES = ['owner', 'editor', 'viewer'] as const satisfies readonly Role[];

/** The role that a text names, else the least. */
export function roleOf(text: string): Role {
  return ROLE_NAMES.find((role) => role === text) ?? 'viewer';
}
