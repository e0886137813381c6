import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client';
import { queryClient } from '../api/queryClient';
import { useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { notifyFailed } from '../ui/notify';
import classes from './Shell.module.css';

const SCHEMES = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

export function AccountMenu() {
  const { user, account } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const logOut = async () => {
    try {
      await api.DELETE('/api/session');
    } catch (error) {
      notifyFailed('Logging out did not work.', error);
      return;
    }
    queryClient.clear();
    // A whole new page: nothing of the session stays in its memory.
    window.location.replace('/login');
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.headerButton} aria-label={`Account ${account.name}`}>
          <Icon name="user" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.email}, {user.role}
        </Menu.Label>
        <Menu.Item
          leftSection={<Icon name="user" size={16} />}
          onClick={() => void navigate({ to: '/app/account' })}
        >
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {SCHEMES.map(([scheme, name]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={
              colorScheme === scheme ? <Icon name="check" size={14} label="chosen" /> : null
            }
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" size={16} />} onClick={logOut}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
