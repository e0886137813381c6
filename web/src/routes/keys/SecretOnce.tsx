import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { pingCommand } from '../../core/keys';
import { CodeBlock } from '../../ui/CodeBlock';
import { CopyButton } from '../../ui/CopyButton';
import classes from './keys.module.css';

interface Props {
  secret: string;
  /** One more thing to know, such as how long an old key still works. */
  note?: string;
  onStored: () => void;
}

/** A new key, at the only time it is seen. It lives in the state of the dialog and nowhere else. */
export function SecretOnce({ secret, note, onStored }: Props) {
  // Neither Back nor a reload by mistake: the key would be gone.
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Stack gap="lg">
      <Text>
        The key is shown only once. Store it where your program reads it, for example in a secret
        store or an environment variable. {note}
      </Text>
      <div className={classes.secret}>
        <TextInput
          label="Key"
          readOnly
          value={secret}
          data-autofocus
          classNames={{ root: classes.secretField ?? '', input: classes.mono ?? '' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={secret} what="key" />
      </div>
      <CodeBlock label="Try it with curl" text={pingCommand(window.location.origin, secret)} />
      <Button onClick={onStored}>I have stored it</Button>
    </Stack>
  );
}
