import { Button, Modal, Stack, Text } from '@mantine/core';
import { useSession } from '../../api/session';
import { leave } from '../../shell/sessionHint';
import { DangerButton } from '../../ui/DangerButton';
import { notifyDone } from '../../ui/notify';
import { RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import { removeUser, type User, usersChanged } from './queries';
import classes from './Users.module.css';

interface Props {
  of: User;
  onClose: () => void;
}

/** Asks before somebody loses the way in. */
export function RemoveUserDialog({ of, onClose }: Props) {
  const { user } = useSession();
  const { busy, refusal, left, run } = useSubmission();
  const isSelf = of.id === user.id;
  const remove = async () => {
    await removeUser(of.id);
    if (isSelf) return leave();
    // First, so that the focus does not return to a button that is about to go.
    await usersChanged();
    notifyDone(`${of.email} was removed.`);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={`Remove ${of.email}`}>
      <Stack gap="lg">
        <Text>
          {isSelf
            ? 'This is you. You are logged out at once and cannot log in again.'
            : 'They are logged out at once and cannot log in again.'}{' '}
          Documents, maps, keys and audit log entries stay.
        </Text>
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <DangerButton loading={busy} disabled={left > 0} onClick={() => void run(remove)}>
            Remove
          </DangerButton>
        </div>
      </Stack>
    </Modal>
  );
}
