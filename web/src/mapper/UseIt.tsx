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
          There are unsaved changes: programs use the saved version.
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
          For a file with several transaction sets, add "split": true to the body or --split to the
          command to get one output per set. Otherwise the rules read the first set, and the
          response names the others.
        </Text>
      )}
      <RunMap apiKey={key} body={JSON.stringify({ map_id: mapId, document })} />
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
      announce('The sandbox key was created. It is shown only once.');
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
          The key is shown only once. Store it before you close this dialog.
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
            description={`${mayMake ? 'Paste a key, or create one for the sandbox.' : 'Paste a key.'} It is not stored here.`}
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

function RunMap({ apiKey, body }: { apiKey: string; body: string }) {
  const [answer, setAnswer] = useState<PublicAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const found = await convertWithKey(apiKey, body);
      setAnswer(found);
      announce(`The server answered with status ${found.status}.`);
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
            Requires a key.
          </Text>
        )}
        {answer !== null && <Text size="sm">Status {answer.status}</Text>}
      </Group>
      {error !== null && <ErrorState error={error} what="The call failed." />}
      {answer !== null && <CodeBlock label="Answer" text={answer.body} />}
    </Stack>
  );
}
