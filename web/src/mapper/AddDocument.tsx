import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ErrorState } from '../ui/States';
import { inspected } from './server';
import type { MapperState } from './useMapper';

/** Another document in place of the sample; the rules stay. */
export function AddDocument({ mapper, onDone }: { mapper: MapperState; onDone: () => void }) {
  const { editor, documents } = mapper;
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const add = async () => {
    setBusy(true);
    setError(null);
    try {
      const format = editor.state.source_fmt;
      await inspected(text, format);
      editor.edit({ ...editor.state, sample: { document: text, format } }, 'Changed the sample');
      documents.choose('sample');
      onDone();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      <Text size="sm">
        It becomes the sample of the map and is saved with it. To keep the old sample, add it as a
        test first.
      </Text>
      <Textarea
        label="Document"
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autosize
        minRows={8}
        maxRows={18}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {error !== null && <ErrorState error={error} what="The document could not be read." />}
      <Group gap="sm">
        <Button loading={busy} disabled={text.trim() === ''} onClick={() => void add()}>
          Use as sample
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
