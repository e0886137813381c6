import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Leaving } from './useLeaving';
import type { Saving } from './useSave';

/** Asks before changes are lost. */
export function LeaveDialog({ leaving, saving }: { leaving: Leaving; saving: Saving }) {
  const isOpen = leaving.status === 'blocked';
  const stay = () => leaving.status === 'blocked' && leaving.reset();
  const go = () => leaving.status === 'blocked' && leaving.proceed();
  return (
    <Modal opened={isOpen} onClose={stay} title="Unsaved changes">
      <Stack gap="md">
        <Text>This map has changes that are not saved.</Text>
        <Group gap="sm">
          <Button
            loading={saving.status === 'saving'}
            onClick={() => {
              void saving.save().then((done) => (done ? go() : stay()));
            }}
          >
            Save and leave
          </Button>
          <Button variant="default" onClick={go}>
            Leave without saving
          </Button>
          <Button variant="default" onClick={stay} data-autofocus>
            Stay
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
