import {
  type MantineColorScheme,
  Menu,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client';
import { queryClient } from '../api/queryClient';
import { useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { notifyFailed } from '../ui/notify';
import classes from './Shell.module.css';
import { leave } from './sessionHint';
import { sheet } from './shortcuts';

const SCHEMES: readonly (readonly [MantineColorScheme, string])[] = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

async function logOut(): Promise<void> {
  try {
    await api.DELETE('/api/session');
  } catch (error) {
    notifyFailed('Logging out failed.', error);
    return;
  }
  queryClient.clear();
  leave();
}

/** Who is logged in, the colours of the pages, and the way out. */
export function AccountMenu() {
  const { user, account } = useSession();
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <UnstyledButton className={classes.headerButton} aria-label={`Account ${account.name}`}>
          <Icon name="user" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.who}>
          {user.email}
          <br />
          {user.role} of {account.name}
        </Menu.Label>
        <Menu.Item
          leftSection={<Icon name="user" size={16} />}
          onClick={() => void navigate({ to: '/app/account' })}
        >
          Account
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="help" size={16} />} onClick={() => sheet.set(true)}>
          Keyboard
        </Menu.Item>
        <Menu.Divider />
        <ColourChoice />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" size={16} />} onClick={() => void logOut()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ColourChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (name: string) => {
    const found = SCHEMES.find(([scheme]) => scheme === name);
    if (found !== undefined) setColorScheme(found[0]);
  };
  return (
    <>
      <Menu.Label>Colours</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={choose}>
        {SCHEMES.map(([scheme, name]) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
