import { Button, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { shownKey } from '../../core/keys';
import { RefusalText } from '../../ui/RefusalText';
import { type Key, keysChanged, rotateKey } from './api';
import { PasswordAgain, useConfirmation } from './confirmation';
import { KeyDialog, type Made } from './KeyDialog';
import classes from './keys.module.css';

const OVERLAPS = [
  [0, 'No overlap: it is refused from now on'],
  [1, '1 hour'],
  [24, '24 hours'],
  [168, '7 days'],
] as const;
const DEFAULT_OVERLAP = 24;

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
    const words = OVERLAPS.find(([each]) => each === hours)?.[1] ?? '';
    onSecret({
      secret,
      note:
        hours === 0
          ? 'The old key is refused from now on.'
          : `The old key works for ${words} more.`,
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
        <Radio.Group
          label="The old key stays valid for"
          value={String(hours)}
          onChange={(value) => setHours(Number(value))}
        >
          <Stack gap="sm" mt="xs">
            {OVERLAPS.map(([value, label]) => (
              <Radio
                key={value}
                value={String(value)}
                label={label}
                data-autofocus={value === DEFAULT_OVERLAP ? true : undefined}
              />
            ))}
          </Stack>
        </Radio.Group>
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
