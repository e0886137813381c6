import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DangerButton } from '../../ui/DangerButton';
import { notifyDone } from '../../ui/notify';
import { RefusalText } from '../../ui/RefusalText';
import { Time } from '../../ui/Time';
import { type Key, keysChanged, revokeKey } from './api';
import { PasswordAgain, useConfirmation } from './confirmation';
import classes from './keys.module.css';
import { nameOf } from './RotateKeyDialog';

interface Props {
  of: Key;
  onClose: () => void;
}

/** Asks before a key is refused for good; of a live key its last characters, so that it is the right one. */
export function RevokeKeyDialog({ of, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState('');
  const confirmation = useConfirmation();
  const isLive = of.environment === 'production';
  const revoke = async () => {
    await revokeKey(of.id, confirmation.password);
    // First, so that the focus does not return to a button that is about to go.
    await keysChanged();
    notifyDone(`The key ${nameOf(of)} was revoked.`);
    onClose();
  };
  const submit = () => {
    if (isLive && typed.trim() !== of.last4) {
      setFault('These are not its last 4 characters.');
      return;
    }
    setFault('');
    void confirmation.run(revoke);
  };
  return (
    <Modal opened onClose={onClose} title={`Revoke ${nameOf(of)}`}>
      <form
        aria-label="Revoke key"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="lg">
          <Text>
            {of.last_used_at === null ? (
              'It has never been used.'
            ) : (
              <>
                It was last used <Time value={of.last_used_at} />.
              </>
            )}{' '}
            Its next request is refused. This cannot be undone.
          </Text>
          {isLive && (
            <TextInput
              label={`Type its last 4 characters, ${of.last4}`}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={fault}
            />
          )}
          <PasswordAgain confirmation={confirmation} />
          <RefusalText refusal={confirmation.refusal} left={confirmation.left} />
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose} data-autofocus={isLive ? undefined : true}>
              Cancel
            </Button>
            <DangerButton
              type="submit"
              loading={confirmation.busy}
              disabled={confirmation.left > 0}
            >
              Revoke
            </DangerButton>
          </div>
        </Stack>
      </form>
    </Modal>
  );
}
