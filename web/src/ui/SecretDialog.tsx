import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CopyButton } from './CopyButton';
import classes from './SecretDialog.module.css';

/** A secret that the server has just made. */
export interface Made {
  secret: string;
  /** One more thing to know, such as how long an old secret still works. */
  note?: string;
}

interface Props {
  title: string;
  /** What is made, as the field and its button say it. */
  what: 'key' | 'secret';
  /** What it is for and where to store it. */
  about: string;
  onClose: () => void;
  /** The form; `onMade` receives the new secret. */
  children: (onMade: (made: Made) => void) => ReactNode;
  /** Shown under the secret. */
  more?: (secret: string) => ReactNode;
}

/** A dialog whose form makes a secret. While it is shown, only "I have stored it" closes the dialog. */
export function SecretDialog({ title, what, about, onClose, children, more }: Props) {
  const [made, setMade] = useState<Made | null>(null);
  const stored = () => {
    setMade(null);
    onClose();
  };
  const isShown = made !== null;
  return (
    <Modal
      opened
      onClose={isShown ? () => undefined : onClose}
      title={isShown ? `Your new ${what}` : title}
      size="lg"
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
    >
      {made === null ? (
        children(setMade)
      ) : (
        <SecretOnce made={made} what={what} about={about} onStored={stored}>
          {more?.(made.secret)}
        </SecretOnce>
      )}
    </Modal>
  );
}

interface OnceProps extends Pick<Props, 'what' | 'about'> {
  made: Made;
  onStored: () => void;
  children: ReactNode;
}

/** A new secret, at the only time it is seen. It lives in the state of the dialog and nowhere else. */
function SecretOnce({ made: { secret, note }, what, about, onStored, children }: OnceProps) {
  // Neither Back nor a reload by mistake: it would be gone.
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Stack gap="lg">
      <Text>
        {about} {note}
      </Text>
      <div className={classes.secret}>
        <TextInput
          label={what === 'key' ? 'Key' : 'Secret'}
          readOnly
          value={secret}
          data-autofocus
          classNames={{ root: classes.field ?? '', input: classes.mono ?? '' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={secret} what={what} />
      </div>
      {children}
      <Button onClick={onStored}>I have stored it</Button>
    </Stack>
  );
}
