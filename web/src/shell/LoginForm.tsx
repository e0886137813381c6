import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, data } from '../api/client';
import { type ApiError, isApiError } from '../api/error';
import { begin, type Session, sessionQuery } from '../api/session';
import { useCountdown } from '../ui/useCountdown';

interface Props {
  /** Given where somebody was logged in already: only the password is asked. */
  email?: string;
  onLoggedIn: (session: Session) => void;
}

/** Asks for address and password; says why it was refused and when it can be tried again. */
export function LoginForm({ email, onLoggedIn }: Props) {
  const form = useForm({ initialValues: { email: email ?? '', password: '' } });
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [capsLock, setCapsLock] = useState(false);
  const wait = useMemo(() => ({ seconds: refusal?.retryAfter ?? null }), [refusal]);
  const left = useCountdown(wait);
  const queries = useQueryClient();

  const submit = form.onSubmit(async (values) => {
    setBusy(true);
    setRefusal(null);
    try {
      const session = begin(await data(api.POST('/api/session', { body: values })));
      queries.setQueryData(sessionQuery.queryKey, session);
      onLoggedIn(session);
    } catch (error) {
      if (!isApiError(error)) throw error;
      setRefusal(error);
      form.setFieldValue('password', '');
    } finally {
      setBusy(false);
    }
  });

  return (
    <form onSubmit={submit} aria-label="Log in">
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          readOnly={email !== undefined}
          data-autofocus={email === undefined ? true : undefined}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          data-autofocus={email === undefined ? undefined : true}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
          {...form.getInputProps('password')}
        />
        {capsLock && <Text size="sm">Caps lock is on.</Text>}
        {refusal !== null && (
          <Text role="alert" size="md" c="var(--ls-err)">
            {refusal.message}
            {left > 0 && ` Possible again in ${left} s.`}
          </Text>
        )}
        <Button type="submit" loading={busy} disabled={left > 0}>
          Log in
        </Button>
      </Stack>
    </form>
  );
}
