import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { CopyButton } from '../../ui/CopyButton';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import type { CreatedUser } from './queries';
import classes from './Users.module.css';

interface Props {
  created: CreatedUser;
  onPassedOn: () => void;
}

/** The link by which a new user chooses a password, at the only time it is seen. */
export function LinkOnce({ created, onPassedOn }: Props) {
  // Neither Back nor a reload by mistake: the link would be gone.
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Stack gap="lg">
      <Text>
        <VisibleText text={created.user.email} /> was added and cannot log in yet. Give them this
        link; no mail is sent. It works once and expires <Time value={created.setup_expires_at} />.
        It is not shown again.
      </Text>
      <div className={classes.link}>
        <TextInput
          label="Link"
          readOnly
          value={created.setup_link ?? ''}
          data-autofocus
          className={classes.field}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={created.setup_link ?? ''} what="link" />
      </div>
      <Button onClick={onPassedOn}>I have stored it</Button>
    </Stack>
  );
}
