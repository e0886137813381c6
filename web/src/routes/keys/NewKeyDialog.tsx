import { Button, Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { context } from '../../api/context';
import type { ApiError } from '../../api/error';
import { type Session, useSession } from '../../api/session';
import { expiryInDays, type KeyEnvironment, mayManage } from '../../core/keys';
import { fieldFaults, focusFault, RefusalText } from '../../ui/RefusalText';
import type { Made } from '../../ui/SecretDialog';
import { createKey, keysChanged } from './api';
import { PasswordAgain, useConfirmation } from './confirmation';
import { ExpiryField } from './ExpiryField';
import { KeyDialog } from './KeyDialog';
import classes from './keys.module.css';

const SCOPES = [
  ['read', 'Read', 'Parse and validate documents, read data'],
  ['convert', 'Convert', 'Convert documents and store the output'],
  ['submit', 'Submit', 'Send documents to partners'],
] as const;
type Scope = (typeof SCOPES)[number][0];

export interface NewKey {
  name: string;
  environment: KeyEnvironment;
  scopes: Scope[];
  /** Days, `never`, or `date`. */
  expiry: string;
  date: string;
}

const FIELDS = ['name', 'environment', 'scopes', 'expires_at'];

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <KeyDialog title="New API key" onClose={onClose}>
      {(onSecret) => <NewKeyForm onSecret={onSecret} onCancel={onClose} />}
    </KeyDialog>
  );
}

function expiresAt({ expiry, date }: NewKey): string | null {
  if (expiry === 'never') return null;
  return expiry === 'date' ? date : expiryInDays(Number(expiry), Date.now());
}

interface FormProps {
  onSecret: (made: Made) => void;
  onCancel: () => void;
}

function NewKeyForm({ onSecret, onCancel }: FormProps) {
  const session = useSession();
  const mayBeLive = whyNotLive(session) === '';
  const form = useForm<NewKey>({
    initialValues: {
      name: '',
      environment: mayBeLive ? context.environment() : 'sandbox',
      scopes: SCOPES.map(([scope]) => scope),
      expiry: 'never',
      date: '',
    },
    validate: {
      name: (name) =>
        name.trim() === '' ? 'Enter a name, for example the program that uses it.' : null,
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one scope.' : null),
      date: (date, { expiry }) =>
        expiry === 'date' && date === '' ? 'Choose the expiry day.' : null,
    },
  });
  const confirmation = useConfirmation();
  const make = async (chosen: NewKey) => {
    const { environment, scopes } = chosen;
    const secret = await createKey({
      name: chosen.name.trim(),
      environment,
      scopes,
      expires_at: expiresAt(chosen),
      password: confirmation.password,
    });
    onSecret({ secret });
    await keysChanged();
  };
  const refused = (refusal: ApiError) => {
    const { expires_at, ...others } = fieldFaults(refusal, FIELDS);
    const faults = { ...others, ...(expires_at && { date: expires_at }) };
    form.setErrors(faults);
    focusFault(form, faults);
    return Object.keys(faults).length > 0;
  };
  const submit = form.onSubmit(
    (chosen) => confirmation.run(() => make(chosen), refused),
    (faults) => focusFault(form, faults),
  );
  return (
    <form onSubmit={submit} aria-label="New API key" noValidate>
      <Stack gap="lg">
        <TextInput
          label="Name"
          description="For example the program that uses it."
          maxLength={64}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <EnvironmentField form={form} whyNotLive={whyNotLive(session)} />
        <Checkbox.Group label="It may" {...form.getInputProps('scopes')}>
          <Stack gap="sm" mt="xs">
            {SCOPES.map(([scope, label, description]) => (
              <Checkbox key={scope} value={scope} label={label} description={description} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ExpiryField form={form} />
        <PasswordAgain confirmation={confirmation} />
        <RefusalText refusal={confirmation.refusal} left={confirmation.left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={confirmation.busy} disabled={confirmation.left > 0}>
            Create key
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** Why somebody cannot make a production key; empty if they can. */
function whyNotLive({ environments, account, user }: Session): string {
  if (!environments.includes('production')) {
    return `The plan “${account.account_type}” does not include production keys. The operator of this server can change the plan.`;
  }
  return mayManage(user.role, 'production')
    ? ''
    : `Only owners can create production keys; your role is ${user.role}.`;
}

interface EnvironmentProps {
  form: UseFormReturnType<NewKey>;
  whyNotLive: string;
}

function EnvironmentField({ form, whyNotLive }: EnvironmentProps) {
  return (
    <Stack gap="xs">
      <Radio.Group label="Environment" {...form.getInputProps('environment')}>
        <Stack mt="xs" gap="sm">
          <Radio value="sandbox" label="Sandbox: test data" />
          <Radio value="production" label="Production: live data" disabled={whyNotLive !== ''} />
        </Stack>
      </Radio.Group>
      {whyNotLive !== '' && (
        <Text size="sm" c="dimmed">
          {whyNotLive}
        </Text>
      )}
    </Stack>
  );
}
