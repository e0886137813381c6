import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ApiError } from '../../api/error';
import type { Role } from '../../core/keys';
import { PASSWORD_MIN_CHARS, passwordWords } from '../../core/passwordWords';
import { PasswordField } from '../../ui/PasswordField';
import { fieldFaults, focusFault, RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import type { UserFacts } from './queries';
import { RoleChoice } from './RoleChoice';
import classes from './Users.module.css';

interface Props {
  /** As it begins. */
  start: Pick<UserFacts, 'email' | 'role'>;
  /** Whether a password is set here: what stands for "no" and for "yes"; null: never. */
  password: readonly [string, string] | null;
  /** What the button says: "Add user". */
  verb: string;
  save: (facts: UserFacts) => Promise<void>;
  onCancel: () => void;
}

interface Values {
  email: string;
  role: Role;
  isSet: boolean;
  password: string;
}

const FIELDS = ['email', 'password'];

/** Who a user is, and what they may do. */
export function UserForm({ start, password, verb, save, onCancel }: Props) {
  const form = useForm<Values>({
    initialValues: { email: start.email, role: start.role, isSet: false, password: '' },
    validate: {
      email: (value) => (value.trim() === '' ? 'Used to log in.' : null),
      password: (value, { isSet }) =>
        isSet && [...value].length < PASSWORD_MIN_CHARS
          ? `A password has at least ${PASSWORD_MIN_CHARS} characters.`
          : null,
    },
  });
  const { busy, refusal, left, run } = useSubmission();
  const refused = (error: ApiError) => {
    const faults = fieldFaults(error, FIELDS);
    form.setErrors(faults);
    focusFault(form, faults);
    return Object.keys(faults).length > 0;
  };
  const submit = form.onSubmit(
    (values) =>
      run(
        () =>
          save({
            email: values.email.trim(),
            role: values.role,
            password: values.isSet ? values.password : null,
          }),
        refused,
      ),
    (faults) => focusFault(form, faults),
  );
  return (
    <form onSubmit={submit} aria-label={verb} noValidate>
      <Stack gap="lg">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          maxLength={254}
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleChoice
          value={form.values.role}
          onChange={(chosen) => form.setFieldValue('role', chosen)}
        />
        {password !== null && (
          <Radio.Group
            label="Password"
            value={form.values.isSet ? 'yes' : 'no'}
            onChange={(value) => form.setFieldValue('isSet', value === 'yes')}
          >
            <Stack mt="xs" gap="sm">
              <Radio value="no" label={password[0]} />
              <Radio value="yes" label={password[1]} />
            </Stack>
          </Radio.Group>
        )}
        {form.values.isSet && (
          <PasswordField
            label="Their password"
            autoComplete="new-password"
            required
            description={passwordWords(form.values.password, form.values.email).text}
            {...form.getInputProps('password')}
          />
        )}
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={left > 0}>
            {verb}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
