import { Button, Menu, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MapState } from '../core/model';
import { Icon } from '../ui/Icon';
import { notifyFailed } from '../ui/notify';
import { type Shown, storedDocument, vaultQuery } from './documents';

interface Props {
  state: MapState;
  choices: Shown[];
  shown: Shown | null;
  readOnly: boolean;
  onChoose: (key: string) => void;
  onShow: (document: Shown) => void;
  onAdd: () => void;
}

/** Which document the map is tried with. */
export function SampleBar({ state, choices, shown, readOnly, onChoose, onShow, onAdd }: Props) {
  const [open, setOpen] = useState(false);
  const stored = useQuery({ ...vaultQuery(state), enabled: open });
  const take = async (id: number) => {
    try {
      onShow(await storedDocument(id));
    } catch (error) {
      notifyFailed('The stored document could not be loaded.', error);
    }
  };
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Sample document"
        disabled={choices.length === 0}
        data={
          choices.length === 0
            ? [{ value: '', label: 'No document' }]
            : choices.map(({ key, label }) => ({ value: key, label }))
        }
        value={shown?.key ?? ''}
        onChange={(event) => onChoose(event.currentTarget.value)}
      />
      <Menu opened={open} onChange={setOpen} position="bottom-end" width={280}>
        <Menu.Target>
          <Button size="compact-sm" variant="default" leftSection={<Icon name="plus" size={12} />}>
            Add
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={readOnly} onClick={onAdd}>
            Paste another document…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Stored documents</Menu.Label>
          {stored.isError && <Menu.Item disabled>They could not be loaded.</Menu.Item>}
          {stored.data?.length === 0 && (
            <Menu.Item disabled>There are none of this format.</Menu.Item>
          )}
          {stored.data?.map(({ id, filename }) => (
            <Menu.Item key={id} onClick={() => void take(id)}>
              {filename}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
