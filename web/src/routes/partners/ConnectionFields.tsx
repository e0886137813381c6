import {
  ActionIcon,
  Button,
  Checkbox,
  NativeSelect,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type ConnectionForm, type HeaderRow, SCRIPTS } from '../../core/partnerConnection';
import { CONNECTION_NAMES, type ConnectionType } from '../../core/partners';
import { Icon } from '../../ui/Icon';
import { As2Fields } from './As2Fields';
import { FtpsFields } from './FtpsFields';
import { MailboxFields } from './MailboxFields';
import classes from './partners.module.css';
import { type CheckedConnection, SftpFields } from './SftpFields';
import type { Faults } from './useSection';

interface Props {
  form: ConnectionForm;
  faults: Faults;
  onChange: (changed: Partial<ConnectionForm>) => void;
}

interface AllProps extends Props {
  /** Whether the page shows the environment of the connection. */
  isShown: boolean;
  of: CheckedConnection;
}

const FORMS: readonly ConnectionType[] = [
  ...(['http', 'as2', 'sftp', 'ftps', 'mailbox', 'simulator', 'none'] as const),
];

/** The fields of a connection, by its type. */
export function ConnectionFields({ isShown, of, ...props }: AllProps) {
  const { form, faults, onChange } = props;
  return (
    <>
      <NativeSelect
        label="Type"
        maw={280}
        value={form.type}
        error={faults.type ?? null}
        data={FORMS.map((value) => ({ value, label: CONNECTION_NAMES[value] }))}
        onChange={(event) => {
          const type = FORMS.find((each) => each === event.currentTarget.value);
          if (type !== undefined) onChange({ type });
        }}
      />
      {form.type === 'http' && <HttpFields form={form} faults={faults} onChange={onChange} />}
      {form.type === 'as2' && <As2Fields of={of} {...props} isShown={isShown} />}
      {form.type === 'sftp' && <SftpFields {...props} of={of} />}
      {form.type === 'ftps' && <FtpsFields {...props} of={of} />}
      {form.type === 'mailbox' && <MailboxFields {...props} of={of} />}
      {form.type === 'simulator' && (
        <ScriptFields form={form} faults={faults} onChange={onChange} />
      )}
      {form.type === 'none' && (
        <Text c="dimmed">
          Nothing is sent. Submitted documents are held until there is a connection.
        </Text>
      )}
    </>
  );
}

function HttpFields({ form, faults, onChange }: Props) {
  return (
    <>
      <TextInput
        type="url"
        label="Address"
        description="Documents are sent to this URL with POST, unchanged."
        placeholder="https://edi.example.com/in"
        required
        maxLength={2000}
        value={form.url}
        error={faults.url ?? null}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <TextInput
        label="Content type"
        maxLength={160}
        maw={280}
        value={form.content_type}
        error={faults.content_type ?? null}
        onChange={(event) => onChange({ content_type: event.currentTarget.value })}
      />
      <Headers
        rows={form.headers}
        fault={faults.headers ?? null}
        onChange={(headers) => onChange({ headers })}
      />
      <Checkbox
        label="Use a user name and a password (HTTP Basic)"
        checked={form.hasLogin}
        onChange={(event) => onChange({ hasLogin: event.currentTarget.checked })}
      />
      {form.hasLogin && (
        <div className={classes.grid}>
          <TextInput
            label="User"
            autoComplete="off"
            maxLength={100}
            value={form.user}
            error={faults['basic.user'] ?? null}
            onChange={(event) => onChange({ user: event.currentTarget.value })}
          />
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            placeholder={form.isPasswordStored ? PLACEHOLDER : ''}
            value={form.password}
            error={faults['basic.password'] ?? null}
            onChange={(event) => onChange({ password: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}

const PLACEHOLDER = 'set; leave empty to keep';

interface HeadersProps {
  rows: HeaderRow[];
  fault: string | null;
  onChange: (rows: HeaderRow[]) => void;
}

/** Request headers; their values are often keys, so they are written and never shown. */
function Headers({ rows, fault, onChange }: HeadersProps) {
  const change = (place: number, changed: Partial<HeaderRow>) =>
    onChange(rows.map((row, at) => (at === place ? { ...row, ...changed } : row)));
  return (
    <Stack gap="sm" role="group" aria-label="Request headers">
      <Text size="sm" fw={600}>
        Request headers
      </Text>
      {rows.map(({ name, value, isStored }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows hold no state of their own
        <div key={place} className={classes.header}>
          <TextInput
            aria-label={`Name of header ${place + 1}`}
            placeholder="X-Api-Key"
            maxLength={64}
            value={name}
            readOnly={isStored}
            onChange={(event) => change(place, { name: event.currentTarget.value })}
          />
          <PasswordInput
            aria-label={`Value of header ${place + 1}`}
            autoComplete="off"
            placeholder={isStored ? PLACEHOLDER : ''}
            maxLength={1000}
            value={value}
            onChange={(event) => change(place, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Remove header ${name || place + 1}`}
            onClick={() => onChange(rows.filter((_, at) => at !== place))}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </div>
      ))}
      {fault !== null && (
        <Text role="alert" size="sm" c="var(--ls-err)">
          {fault}
        </Text>
      )}
      <div>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...rows, { name: '', value: '', isStored: false }])}
        >
          Add a header
        </Button>
      </div>
    </Stack>
  );
}

function ScriptFields({ form, faults, onChange }: Props) {
  const detail = SCRIPTS.find(({ value }) => value === form.script)?.detail;
  return (
    <div className={classes.grid}>
      <NativeSelect
        label="The simulator"
        value={form.script}
        data={SCRIPTS.map(({ value, label }) => ({ value, label }))}
        error={detail === undefined ? (faults.script ?? null) : null}
        onChange={(event) => onChange({ script: event.currentTarget.value, scriptDetail: '' })}
      />
      {detail !== undefined && (
        <TextInput
          label={detail}
          maxLength={6}
          value={form.scriptDetail}
          error={faults.script ?? null}
          onChange={(event) => onChange({ scriptDetail: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
