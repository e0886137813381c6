import { Button, Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { readyViews, type SavedView } from '../../core/savedViews';
import { Icon } from '../../ui/Icon';
import { MenuLink } from '../../ui/MenuLink';
import { VisibleText } from '../../ui/VisibleText';
import { transactionsSearch } from './search';
import { useSavedViews } from './useSavedViews';
import { ViewsDialog } from './ViewsDialog';

/** Named sets of filters: ready ones, and those kept in this browser. */
export function ViewsMenu({ filters }: { filters: Record<string, string> }) {
  const [views, keep] = useSavedViews();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    setTimeout(() => button.current?.focus());
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            ref={button}
            variant="default"
            rightSection={<Icon name="chevronDown" size={14} />}
          >
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {readyViews(Date.now()).map((view) => (
            <ViewLink key={view.name} view={view} />
          ))}
          {views.length > 0 && <Menu.Divider />}
          {views.map((view) => (
            <ViewLink key={view.name} view={view} />
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setOpen(true)}>Save or delete views…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isOpen && <ViewsDialog filters={filters} views={views} onKeep={keep} onClose={close} />}
    </>
  );
}

function ViewLink({ view }: { view: SavedView }) {
  return (
    <MenuLink to="/app/transactions" search={transactionsSearch(view.filters)}>
      <VisibleText text={view.name} />
    </MenuLink>
  );
}
