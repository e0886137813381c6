import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, data } from '../api/client';
import { begin, type Session, sessionQuery } from '../api/session';
import { PasswordField } from '../ui/PasswordField';
import { RefusalText } from '../ui/RefusalText';
import { useSubmission } from '../ui/useSubmission';

interface Props {
  /** Given where somebody was logged in already: only the password is asked. */
  email?: string;
  onLoggedIn: (session: Session) => void;
}

/** Escape in this form closes no dialog that waits under it. */
const KEEPS_ESCAPE = { 'data-mantine-stop-propagation': 'true' } as const;

/** Asks for address and password; says why it was refused and when it can be tried again. */
export function LoginForm({ email, onLoggedIn }: Props) {
  const form = useForm({ initialValues: { email: email ?? '', password: '' } });
  const { busy, refusal, left, run } = useSubmission();
  const queries = useQueryClient();
  const password = useRef<HTMLInputElement>(null);

  const submit = form.onSubmit((values) =>
    run(
      async () => {
        const session = begin(await data(api.POST('/api/session', { body: values })));
        queries.setQueryData(sessionQuery.queryKey, session);
        onLoggedIn(session);
      },
      () => {
        form.setFieldValue('password', '');
        password.current?.focus();
        return false;
      },
    ),
  );

  return (
    <form onSubmit={submit} aria-label="Log in">
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={email !== undefined}
          data-autofocus={email === undefined ? true : undefined}
          {...KEEPS_ESCAPE}
          {...form.getInputProps('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          required
          ref={password}
          data-autofocus={email === undefined ? undefined : true}
          {...KEEPS_ESCAPE}
          {...form.getInputProps('password')}
        />
        <RefusalText refusal={refusal} left={left} />
        <Button type="submit" loading={busy} disabled={left > 0} {...KEEPS_ESCAPE}>
          Log in
        </Button>
      </Stack>
    </form>
  );
}
