import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../api/session';
import { ROLES } from '../core/roles';
import { Icon } from './Icon';
import { Page } from './Page';

interface Props {
  /** Of the page. */
  title: string;
  /** Only made for owners, so that nothing is asked for in vain. */
  children: () => ReactNode;
}

/** A page that only owners of the account see; to others it says so. */
export function OwnersOnly({ title, children }: Props) {
  const { user } = useSession();
  if (user.role === 'owner') return children();
  return (
    <Page title={title}>
      <Alert variant="outline" icon={<Icon name="lock" />} title="Only owners see this page">
        <Text size="md">
          Your role is {ROLES[user.role].word.toLowerCase()}. Ask an owner of the account for help
          or for another role.
        </Text>
      </Alert>
    </Page>
  );
}
