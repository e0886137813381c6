import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DEFAULT_OVERLAP, overlapWords, shownKey } from '../../core/keys';
import { OverlapChoice } from '../../ui/OverlapChoice';
import { RefusalText } from '../../ui/RefusalText';
import type { Made } from '../../ui/SecretDialog';
import { type Key, keysChanged, rotateKey } from './api';
import { PasswordAgain, useConfirmation } from './confirmation';
import { KeyDialog } from './KeyDialog';
import classes from './keys.module.css';

interface Props {
  of: Key;
  onClose: () => void;
}

export function RotateKeyDialog({ of, onClose }: Props) {
  return (
    <KeyDialog title={`Rotate ${nameOf(of)}`} onClose={onClose}>
      {(onSecret) => <RotateForm of={of} onSecret={onSecret} onCancel={onClose} />}
    </KeyDialog>
  );
}

/** What a key is called in a sentence. */
export function nameOf(key: Key): string {
  const shown = shownKey(key.prefix, key.last4);
  return key.name === '' ? shown : `“${key.name}” (${shown})`;
}

interface FormProps {
  of: Key;
  onSecret: (made: Made) => void;
  onCancel: () => void;
}

function RotateForm({ of, onSecret, onCancel }: FormProps) {
  const [hours, setHours] = useState<number>(DEFAULT_OVERLAP);
  const confirmation = useConfirmation();
  const rotate = async () => {
    const secret = await rotateKey(of.id, {
      overlap_hours: hours,
      password: confirmation.password,
    });
    onSecret({
      secret,
      note:
        hours === 0
          ? 'The old key is refused from now on.'
          : `The old key works for ${overlapWords(hours)} more.`,
    });
    await keysChanged();
  };
  return (
    <form
      aria-label="Rotate key"
      onSubmit={(event) => {
        event.preventDefault();
        void confirmation.run(rotate);
      }}
    >
      <Stack gap="lg">
        <Text>
          Creates a new key with the same name, environment and scopes. Give it to your program
          while the old key still works.
        </Text>
        <OverlapChoice
          label="The old key stays valid for"
          none="it is refused from now on"
          hours={hours}
          onHours={setHours}
        />
        <PasswordAgain confirmation={confirmation} />
        <RefusalText refusal={confirmation.refusal} left={confirmation.left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={confirmation.busy} disabled={confirmation.left > 0}>
            Rotate
          </Button>
        </div>
      </Stack>
    </form>
  );
}
