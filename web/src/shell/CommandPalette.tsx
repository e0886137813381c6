import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { type PAGES, pagesFor } from './pages';
import { sheet } from './shortcuts';

/** Ctrl K or ⌘ K: every page by its name, and what is made often. */
export function CommandPalette() {
  const navigate = useNavigate();
  const go = (to: (typeof PAGES)[number]['to']) => () => void navigate({ to });
  const { user } = useSession();
  const making = [
    {
      id: 'new-partner',
      label: 'New partner',
      description: 'Somebody to exchange documents with',
      leftSection: <Icon name="plus" />,
      onClick: () => void navigate({ to: '/app/partners', search: { new: true } }),
    },
    {
      id: 'new-map',
      label: 'New map',
      description: 'Draw a map over a document',
      leftSection: <Icon name="plus" />,
      onClick: () => void navigate({ to: '/app/maps/$mapId', params: { mapId: 'new' } }),
    },
    {
      id: 'new-key',
      label: 'New API key',
      description: 'For a program that calls Longshore',
      leftSection: <Icon name="plus" />,
      onClick: () => void navigate({ to: '/app/keys', search: { new: true } }),
    },
  ];
  const actions = [
    ...pagesFor(user.role).map(({ to, name, icon, about }) => ({
      id: to,
      label: name,
      description: about,
      leftSection: <Icon name={icon} />,
      onClick: go(to),
    })),
    // Somebody who may only read makes nothing.
    ...(user.role === 'viewer' ? [] : making),
    {
      id: 'keyboard',
      label: 'Keyboard',
      description: 'The keys that work everywhere',
      leftSection: <Icon name="help" />,
      onClick: () => sheet.set(true),
    },
  ];
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K']}
      nothingFound="Nothing has that name"
      highlightQuery
      scrollable
      maxHeight={420}
      // What scrolls must be reachable by keyboard.
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Results' } }}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      searchProps={{
        placeholder: 'Go to or make…',
        'aria-label': 'Command',
        leftSection: <Icon name="search" />,
      }}
    />
  );
}
