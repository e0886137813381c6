import { ActionIcon, Menu } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { visibleText } from '../../core/visible';
import { Icon } from '../../ui/Icon';
import { notifyDone, notifyFailed } from '../../ui/notify';
import { duplicateMap, exportMap, lockMap, removeMap } from './changes';
import type { SavedMap } from './queries';

interface Change {
  work: (map: SavedMap) => Promise<unknown>;
  /** The message when it is done; '' where the page shows it already. */
  done: string;
  failed: string;
}

/** What can be done with a map without opening it. */
export function MapActions({ map }: { map: SavedMap }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = visibleText(map.name);
  const change = useMutation({
    mutationFn: ({ work }: Change) => work(map),
    onSuccess: async (_, { done }) => {
      await queries.invalidateQueries({ queryKey: ['maps'] });
      queries.removeQueries({ queryKey: ['map', String(map.id)] });
      if (done !== '') notifyDone(done);
    },
    onError: (error, { failed }) => notifyFailed(failed, error),
  });
  const duplicate = async (original: SavedMap) => {
    const id = await duplicateMap(original);
    await navigate({ to: '/app/maps/$mapId', params: { mapId: String(id) } });
  };
  const remove = () =>
    modals.openConfirmModal({
      title: `Delete the map ${name}?`,
      children:
        'All its versions are deleted, and requests that use it are refused. Documents it produced stay in the vault. This cannot be undone.',
      labels: { confirm: 'Delete', cancel: 'Cancel' },
      confirmProps: { variant: 'outline', color: 'var(--ls-err)' },
      onConfirm: () =>
        change.mutate({
          work: removeMap,
          done: `The map ${name} was deleted.`,
          failed: 'The map could not be deleted.',
        }),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="var(--ls-text)"
          aria-label={`Actions for ${name}`}
          loading={change.isPending}
        >
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="copy" size={16} />}
          onClick={() =>
            change.mutate({
              work: duplicate,
              done: `A copy of ${name} was saved.`,
              failed: 'The map could not be copied.',
            })
          }
        >
          Duplicate
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="download" size={16} />}
          onClick={() =>
            change.mutate({ work: exportMap, done: '', failed: 'The map could not be exported.' })
          }
        >
          Export
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="lock" size={16} />}
          onClick={() =>
            change.mutate({
              work: lockMap,
              done: `The map ${name} was ${map.locked ? 'unlocked' : 'locked'}.`,
              failed: `The map could not be ${map.locked ? 'unlocked' : 'locked'}.`,
            })
          }
        >
          {map.locked ? 'Unlock' : 'Lock'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--ls-err)"
          leftSection={<Icon name="trash" size={16} />}
          disabled={map.locked}
          onClick={remove}
        >
          {map.locked ? 'Delete (unlock it first)' : 'Delete'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
