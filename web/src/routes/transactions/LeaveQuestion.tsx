import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useLeaving } from '../../mapper/useLeaving';

/** Asks before an edited document is lost. */
export function LeaveQuestion({ isDirty }: { isDirty: boolean }) {
  const leaving = useLeaving(isDirty);
  const isOpen = leaving.status === 'blocked';
  const stay = () => leaving.status === 'blocked' && leaving.reset();
  const go = () => leaving.status === 'blocked' && leaving.proceed();
  return (
    <Modal opened={isOpen} onClose={stay} title="Not sent yet">
      <Stack gap="md">
        <Text>The document was changed but not sent. If you leave, the changes are lost.</Text>
        <Group gap="sm">
          <Button variant="default" onClick={go}>
            Leave without sending
          </Button>
          <Button onClick={stay} data-autofocus>
            Stay
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
