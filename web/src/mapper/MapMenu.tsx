import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, data } from '../api/client';
import { Icon } from '../ui/Icon';
import { notifyDone, notifyFailed } from '../ui/notify';
import { saveFile } from '../ui/saveFile';
import { baseOf, bodyOf } from './server';
import type { MapperState } from './useMapper';
import type { Page } from './usePage';

/** What is done to a map as a whole, and what is seldom needed. */
export function MapMenu({ mapper, page }: { mapper: MapperState; page: Page }) {
  const { state, base, readOnly, isViewer, dirty, wasSaved } = mapper.editor;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
      void queries.invalidateQueries({ queryKey: ['maps'] });
    } catch (error) {
      notifyFailed(what, error);
    }
  };
  const duplicate = () =>
    attempt('The map was not duplicated.', async () => {
      const body = { ...bodyOf({ ...state, name: `${state.name} (copy)` }, null), starter: null };
      const { map } = await data(api.POST('/api/maps', { body }));
      notifyDone('The copy is open.');
      void navigate({ to: '/app/maps/$mapId', params: { mapId: String(map.id) } });
    });
  const lock = () =>
    attempt('The lock was not changed.', async () => {
      if (base === null) return;
      const params = { path: { map_id: String(base.id) } };
      const { map } = await data(
        readOnly
          ? api.POST('/api/maps/{map_id}/unlock', { params })
          : api.POST('/api/maps/{map_id}/lock', { params }),
      );
      wasSaved({ ...baseOf(map), state: base.state }, base.state);
      notifyDone(map.locked ? 'The map is locked.' : 'The map is unlocked.');
    });
  const exportFile = () => {
    const { note: _, ...file } = bodyOf(state, null);
    const content = new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' });
    saveFile(content, `${state.name.replace(/[^\w.-]+/g, '_') || 'map'}.json`);
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button size="compact-md" variant="default" aria-label="More actions">
          <Icon name="dots" size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => page.setView('settings')}>Settings and lookups</Menu.Item>
        <Menu.Item disabled={base === null} onClick={() => page.setView('replay')}>
          Replay stored documents
        </Menu.Item>
        <Menu.Item disabled={base === null || isViewer} onClick={() => void duplicate()}>
          Duplicate
        </Menu.Item>
        <Menu.Item onClick={exportFile}>Export</Menu.Item>
        <Menu.Item
          disabled={base === null || isViewer || (dirty && !readOnly)}
          onClick={() => void lock()}
        >
          {readOnly ? 'Unlock' : 'Lock'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => page.setSheet('keys')}>Keyboard</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
