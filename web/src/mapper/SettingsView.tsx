import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Format } from '../core/model';
import { isChanged, type SettingsChange } from '../core/settings';
import { targetSampleFault } from '../core/target';
import { LookupsEditor } from './LookupsEditor';
import { useTyped } from './typed';
import type { Editor } from './useEditor';

const FORMATS = ['x12', 'json', 'csv', 'xml'] as const;

function formatOf(value: string): Format {
  return FORMATS.find((format) => format === value) ?? 'json';
}

/** What a map is besides its rules. It takes effect with Apply, on closing and on saving, as one step. */
export function SettingsView({ editor }: { editor: Editor }) {
  const { state, edit, readOnly } = editor;
  const [change, setChange] = useState<SettingsChange>({});
  const put = (more: SettingsChange) => setChange({ ...change, ...more });
  const draft = { ...state, ...change };
  const fault = targetSampleFault(draft.target_fmt, draft.target_sample);
  const isTyped = !readOnly && isChanged(state, change);
  const apply = () => {
    setChange({});
    if (isTyped) edit(draft, 'Changed the settings');
  };
  useTyped(isTyped, apply);
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <NativeSelect
          label="Source format"
          data={FORMATS}
          value={draft.source_fmt}
          disabled={readOnly}
          onChange={(event) => put({ source_fmt: formatOf(event.currentTarget.value) })}
        />
        <NativeSelect
          label="Target format"
          data={FORMATS}
          value={draft.target_fmt}
          disabled={readOnly}
          onChange={(event) => put({ target_fmt: formatOf(event.currentTarget.value) })}
        />
        <TextInput
          label="Transaction set"
          placeholder="850"
          maxLength={16}
          value={draft.tx_set}
          readOnly={readOnly}
          onChange={(event) => put({ tx_set: event.currentTarget.value })}
        />
        <NativeSelect
          label="Direction"
          data={['inbound', 'outbound']}
          value={draft.direction}
          disabled={readOnly}
          onChange={(event) =>
            put({ direction: event.currentTarget.value === 'outbound' ? 'outbound' : 'inbound' })
          }
        />
      </SimpleGrid>
      <TextInput
        label="Description"
        value={draft.description}
        readOnly={readOnly}
        onChange={(event) => put({ description: event.currentTarget.value })}
      />
      {draft.target_fmt !== 'x12' && (
        <Textarea
          label="Example of the output"
          description="It defines the rows of the target, together with the rules."
          error={fault}
          value={draft.target_sample}
          readOnly={readOnly}
          onChange={(event) => put({ target_sample: event.currentTarget.value })}
          autosize
          minRows={4}
          maxRows={14}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      )}
      <LookupsEditor
        lookups={draft.lookups}
        readOnly={readOnly}
        onLookups={(lookups) => put({ lookups })}
      />
      <Group gap="sm">
        <Button disabled={!isTyped} onClick={apply}>
          Apply
        </Button>
      </Group>
    </Stack>
  );
}
