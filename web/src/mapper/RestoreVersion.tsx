import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, data } from '../api/client';
import { notifyFailed } from '../ui/notify';
import classes from './Mapper.module.css';
import { type Base, baseOf } from './server';
import type { Editor } from './useEditor';
import type { Page } from './usePage';

interface Props {
  version: number;
  newest: number;
  editor: Editor;
  base: Base;
  page: Page;
}

/**
 * Saves an old version again. What it would put aside unseen (a version saved by somebody else, or
 * edits that are not saved) is named and asked about before.
 */
export function RestoreVersion({ version, newest, editor, base, page }: Props) {
  /** The newest version when it was asked about; null: nothing is asked. */
  const [asked, setAsked] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const trigger = useRef<HTMLButtonElement>(null);
  const restore = async () => {
    setBusy(true);
    try {
      const params = { path: { map_id: String(base.id) } };
      const now = (await data(api.GET('/api/maps/{map_id}', { params: { ...params, query: {} } })))
        .map.version;
      const asks = now !== base.version || editor.dirty;
      if (asks && asked !== now) {
        setAsked(now);
        setBusy(false);
        return;
      }
      const body = { version, note: `Restored version ${version}` };
      const { map } = await data(api.POST('/api/maps/{map_id}/restore', { params, body }));
      const restored = baseOf(map);
      const between =
        map.version > now + 1
          ? `; version ${map.version - 1}, saved in the meantime, is superseded`
          : '';
      editor.rebase(
        restored,
        { ...restored.state, rejected: editor.state.rejected },
        `Restored version ${version}${between}`,
      );
      void queries.invalidateQueries({ queryKey: ['maps'] });
      void queries.invalidateQueries({ queryKey: ['map', String(base.id), 'versions'] });
      page.setView(null);
    } catch (error) {
      notifyFailed('The version was not restored.', error);
      setBusy(false);
    }
  };
  const leave = () => {
    setAsked(null);
    trigger.current?.focus();
  };
  return (
    <>
      <Group justify="space-between">
        <Text fw={600}>Version {version} and the current edits</Text>
        <Button
          ref={trigger}
          size="compact-md"
          loading={busy && asked === null}
          disabled={editor.readOnly || (version === base.version && version === newest)}
          onClick={() => asked === null && void restore()}
        >
          Restore version {version}
        </Button>
      </Group>
      {asked !== null && (
        <div role="alert" className={classes.draft}>
          <span>
            {asked === base.version
              ? ''
              : `Version ${asked} was saved after version ${base.version}, which is edited here: it would be superseded, and stays in the history. `}
            {editor.dirty ? 'Your unsaved changes would be replaced; Undo restores them.' : ''}
          </span>
          <Group gap="sm">
            <Button size="compact-md" loading={busy} onClick={() => void restore()}>
              Restore version {version} anyway
            </Button>
            {asked !== base.version && asked !== version && (
              <Button
                size="compact-md"
                variant="default"
                onClick={() => {
                  void queries.invalidateQueries({
                    queryKey: ['map', String(base.id), 'versions'],
                  });
                  page.setVersion(asked);
                }}
              >
                Compare version {asked}
              </Button>
            )}
            <Button size="compact-md" variant="default" autoFocus onClick={leave}>
              Do not restore
            </Button>
          </Group>
        </div>
      )}
    </>
  );
}
