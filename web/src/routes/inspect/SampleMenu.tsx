import { Button, Loader, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { samplesQuery } from '../../mapper/server';
import { Icon } from '../../ui/Icon';
import { MenuLink } from '../../ui/MenuLink';

/** "Use a sample": each is a link to Inspect with that document. */
export function SampleMenu() {
  const [open, setOpen] = useState(false);
  const samples = useQuery({ ...samplesQuery, enabled: open });
  return (
    <Menu opened={open} onChange={setOpen} position="bottom-start" width={280}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Icon name="archive" size={16} />}
          rightSection={<Icon name="chevronDown" size={14} />}
        >
          Use a sample
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {samples.isPending && (
          <Menu.Item disabled leftSection={<Loader size={14} />}>
            Loading
          </Menu.Item>
        )}
        {samples.isError && (
          <Menu.Item onClick={() => void samples.refetch()} closeMenuOnClick={false}>
            The samples could not be loaded. Try again
          </Menu.Item>
        )}
        {samples.data?.map(({ name, title }) => (
          <MenuLink key={name} to="/app/inspect" search={{ sample: name }}>
            {title}
          </MenuLink>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
