import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../ui/Icon';
import { PAGES } from './pages';

/** Ctrl K or ⌘ K: every page by its name, and what is made often. */
export function CommandPalette() {
  const navigate = useNavigate();
  const go = (to: (typeof PAGES)[number]['to']) => () => void navigate({ to });
  const actions = [
    ...PAGES.map(({ to, name, icon, about }) => ({
      id: to,
      label: name,
      description: about,
      leftSection: <Icon name={icon} />,
      onClick: go(to),
    })),
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
  return (
    <Spotlight
      actions={actions}
      shortcut={['mod + K']}
      nothingFound="Nothing has that name"
      highlightQuery
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      searchProps={{
        placeholder: 'Go to or make…',
        'aria-label': 'Command',
        leftSection: <Icon name="search" />,
      }}
    />
  );
}
