import { Button, Group, PasswordInput, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { convertWithKey, type PublicAnswer } from '../api/client';
import { useSession } from '../api/session';
import { useItCommands } from '../core/commands';
import type { Format } from '../core/model';
import { createKey, keysChanged } from '../routes/keys/api';
import { PasswordAgain, useConfirmation } from '../routes/keys/confirmation';
import { CodeBlock } from '../ui/CodeBlock';
import { CopyButton } from '../ui/CopyButton';
import { announce } from '../ui/LiveRegion';
import { RefusalText } from '../ui/RefusalText';
import { ErrorState } from '../ui/States';

interface Props {
  mapId: number;
  document: string;
  sourceFormat: Format;
  targetFormat: Format;
  /** The saved version is what runs. */
  dirty: boolean;
}

const PLACEHOLDER = 'svc_test_YOUR_KEY';
const TABS = [
  ['curl', 'curl'],
  ['python', 'Python'],
  ['javascript', 'JavaScript'],
  ['powershell', 'PowerShell'],
  ['cli', 'CLI'],
] as const;

/** The map as a program calls it. The key lives in this dialog alone and goes with it. */
export function UseIt({ mapId, document, sourceFormat, targetFormat, dirty }: Props) {
  const [key, setKey] = useState('');
  const commands = useItCommands({
    baseUrl: window.location.origin,
    mapId,
    key: key === '' ? PLACEHOLDER : key,
    document,
    sourceFormat,
    targetFormat,
  });
  return (
    <Stack gap="md">
      {dirty && (
        <Text c="var(--ls-warn)" role="note">
          There are unsaved changes: programs get the saved version.
        </Text>
      )}
      <KeyField value={key} onKey={setKey} />
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label="Language">
          {TABS.map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(([value, label]) => (
          <Tabs.Panel key={value} value={value} pt="sm">
            <CodeBlock label={`${label} command`} text={commands[value]} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {sourceFormat === 'x12' && (
        <Text size="sm" c="dimmed">
          A file with several transaction sets: add "split": true to the body, or --split to the
          command, for an output of each set. Without it the rules see the first, and the answer
          names the others.
        </Text>
      )}
      <RunHere apiKey={key} body={JSON.stringify({ map_id: mapId, document })} />
    </Stack>
  );
}

function KeyField({ value, onKey }: { value: string; onKey: (key: string) => void }) {
  const [made, setMade] = useState(false);
  const confirmation = useConfirmation();
  const mayMake = useSession().user.role !== 'viewer';
  const make = () =>
    confirmation.run(async () => {
      const secret = await createKey({
        name: 'Mapper',
        environment: 'sandbox',
        scopes: null,
        expires_at: null,
        password: confirmation.password,
      });
      onKey(secret);
      setMade(true);
      announce('The sandbox key was made. It is shown only now.');
      await keysChanged();
    });
  if (made) {
    return (
      <Stack gap={4}>
        <Group gap="sm" align="flex-end">
          <TextInput label="Sandbox key" readOnly value={value} style={{ flex: 1 }} />
          <CopyButton text={value} what="key" />
        </Group>
        <Text size="sm" c="dimmed">
          This is the only time the key is shown. Store it before you close this.
        </Text>
      </Stack>
    );
  }
  return (
    <form
      aria-label="Key"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayMake) void make();
      }}
    >
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <PasswordInput
            label="API key"
            description={`${mayMake ? 'Paste one, or make one for the sandbox.' : 'Paste one.'} It is not stored here.`}
            value={value}
            onChange={(event) => onKey(event.currentTarget.value.trim())}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': 'Show key', tabIndex: 0 }}
            style={{ flex: '1 1 240px' }}
          />
          {mayMake && (
            <Button type="submit" variant="default" loading={confirmation.busy}>
              Create sandbox key
            </Button>
          )}
        </Group>
        <PasswordAgain confirmation={confirmation} />
        <RefusalText refusal={confirmation.refusal} left={confirmation.left} />
      </Stack>
    </form>
  );
}

function RunHere({ apiKey, body }: { apiKey: string; body: string }) {
  const [answer, setAnswer] = useState<PublicAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const found = await convertWithKey(apiKey, body);
      setAnswer(found);
      announce(`The service answered with status ${found.status}.`);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="sm" align="stretch">
      <Group gap="sm">
        <Button onClick={() => void run()} loading={busy} disabled={apiKey === ''}>
          Run it here
        </Button>
        {apiKey === '' && (
          <Text size="sm" c="dimmed">
            Needs a key.
          </Text>
        )}
        {answer !== null && <Text size="sm">Status {answer.status}</Text>}
      </Group>
      {error !== null && <ErrorState error={error} what="The call did not work." />}
      {answer !== null && <CodeBlock label="Answer" text={answer.body} />}
    </Stack>
  );
}
