import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import type { ApiError } from '../../api/error';
import { begin, sessionQuery, useSession } from '../../api/session';
import { PASSWORD_MIN_CHARS, passwordWords } from '../../core/passwordWords';
import { notifyDone } from '../../ui/notify';
import { Panel } from '../../ui/Panel';
import { PasswordField } from '../../ui/PasswordField';
import { fieldFaults, focusFault, RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import classes from './account.module.css';
import { SESSIONS } from './SessionsPanel';

/** Changes the password; all other browsers of the user are logged out by it. */
export function PasswordPanel() {
  const { user } = useSession();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { old: '', new: '' },
    validate: {
      old: (password) => (password === '' ? 'Enter your current password.' : null),
      new: (password) =>
        [...password].length < PASSWORD_MIN_CHARS
          ? `A password has at least ${PASSWORD_MIN_CHARS} characters.`
          : null,
    },
  });
  const { busy, refusal, left, run } = useSubmission();
  const refused = (error: ApiError) => {
    const faults = fieldFaults(error, ['old', 'new']);
    if (error.code === 'invalid_login') faults.old = 'This is not your password.';
    form.setErrors(faults);
    focusFault(form, faults);
    return Object.keys(faults).length > 0;
  };
  const submit = form.onSubmit(
    (passwords) =>
      run(async () => {
        const session = begin(await data(api.POST('/api/account/password', { body: passwords })));
        queries.setQueryData(sessionQuery.queryKey, session);
        form.reset();
        notifyDone('Your password was changed. Your other sessions were ended.');
        await queries.invalidateQueries({ queryKey: SESSIONS });
      }, refused),
    (faults) => focusFault(form, faults),
  );
  return (
    <Panel title="Password">
      <form onSubmit={submit} aria-label="Change password" className={classes.narrow} noValidate>
        {/* Password stores keep the new password with the address. */}
        <input
          className="ls-visually-hidden"
          autoComplete="username"
          value={user.email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <Stack gap="md" align="stretch">
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            required
            {...form.getInputProps('old')}
          />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            required
            description={passwordWords(form.values.new, user.email).text}
            {...form.getInputProps('new')}
          />
          <Text size="sm" c="dimmed">
            You are logged out in all other browsers.
          </Text>
          <RefusalText refusal={refusal} left={left} />
          <div>
            <Button type="submit" loading={busy} disabled={left > 0}>
              Change password
            </Button>
          </div>
        </Stack>
      </form>
    </Panel>
  );
}
