import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { api, data } from '../api/client';
import { context } from '../api/context';
import type { ApiError } from '../api/error';
import { begin, type Session, sessionQuery } from '../api/session';
import { PASSWORD_MIN_CHARS, passwordWords } from '../core/passwordWords';
import { notifyFailed } from '../ui/notify';
import { PasswordField } from '../ui/PasswordField';
import { fieldFaults, focusFault, RefusalText } from '../ui/RefusalText';
import { TextLink } from '../ui/TextLink';
import { useSubmission } from '../ui/useSubmission';
import { Gate } from './Gate';
import { setupToken } from './setupToken';

/** Where a one-time link leads: the first user, or one that an owner has made, chooses a password. */
export function SetupPage() {
  const token = useSyncExternalStore(setupToken.subscribe, setupToken.current);
  const [unusable, setUnusable] = useState<{ token: string; message: string } | null>(null);
  if (token === '') {
    return (
      <LinkNeeded title="A link is needed">
        Open the complete link that <code>longshore serve</code> printed, or that an owner of your
        account gave you. The link is valid for 24 hours and works once.
      </LinkNeeded>
    );
  }
  if (unusable?.token === token) {
    return <LinkNeeded title="This link does not work">{unusable.message}</LinkNeeded>;
  }
  return (
    <Gate title="Choose your password">
      <SetupForm token={token} onUnusable={(message) => setUnusable({ token, message })} />
    </Gate>
  );
}

function LinkNeeded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Gate title={title}>
      <p role="alert">{children}</p>
      <p>
        Do you already have a password? <TextLink to="/login">Log in</TextLink>
      </p>
    </Gate>
  );
}

interface Chosen {
  email: string;
  password: string;
  samples: boolean;
}

const FIELDS = ['email', 'password'];

interface FormProps {
  token: string;
  onUnusable: (message: string) => void;
}

function SetupForm({ token, onUnusable }: FormProps) {
  const form = useForm<Chosen>({
    initialValues: { email: '', password: '', samples: true },
    validate: {
      password: (password) =>
        [...password].length < PASSWORD_MIN_CHARS
          ? `A password has at least ${PASSWORD_MIN_CHARS} characters.`
          : null,
    },
  });
  const { busy, refusal, left, run } = useSubmission();
  const queries = useQueryClient();
  const router = useRouter();

  const refused = (error: ApiError) => {
    if (error.code === 'not_found') {
      onUnusable(error.message);
      return true;
    }
    const faults = fieldFaults(error, FIELDS);
    form.setErrors(faults);
    focusFault(form, faults);
    return Object.keys(faults).length > 0;
  };
  const submit = form.onSubmit(
    (chosen) =>
      run(async () => {
        const session = await begun(token, chosen);
        queries.clear();
        queries.setQueryData(sessionQuery.queryKey, session);
        await router.navigate({ to: '/app', replace: true });
      }, refused),
    (faults) => focusFault(form, faults),
  );

  const words = passwordWords(form.values.password, form.values.email);
  return (
    <form onSubmit={submit} aria-label="Set up">
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus
          description="Used to log in. If an owner invited you, you can leave it empty."
          {...form.getInputProps('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          required
          description={words.text}
          {...form.getInputProps('password')}
        />
        <Checkbox
          label="Add sample documents"
          description="Twelve sample documents in the sandbox to try things out."
          {...form.getInputProps('samples', { type: 'checkbox' })}
        />
        <RefusalText refusal={refusal} left={left} />
        <Button type="submit" loading={busy} disabled={left > 0}>
          Set up
        </Button>
      </Stack>
    </form>
  );
}

/** Uses the link, and adds the samples for whoever may. */
async function begun(token: string, { email, password, samples }: Chosen): Promise<Session> {
  // Nobody new begins among live documents, whatever this tab has shown before.
  context.setEnvironment('sandbox');
  // An address is only needed by the first user; of others the link knows it.
  const body = { token, password, email: email.trim() || null };
  const session = begin(await data(api.POST('/api/setup', { body })));
  if (samples && session.user.role !== 'viewer') await addSamples();
  return session;
}

/** The pages work without samples, so a failure is only reported. */
async function addSamples(): Promise<void> {
  try {
    await api.POST('/api/samples');
  } catch (error) {
    notifyFailed('The sample documents could not be added.', error);
  }
}
