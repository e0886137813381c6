import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Format, MapState } from '../core/model';
import { targetSampleFault } from '../core/target';
import { LookupsEditor } from './LookupsEditor';
import type { Editor } from './useEditor';

const FORMATS = ['x12', 'json', 'csv', 'xml'] as const;

function formatOf(value: string): Format {
  return FORMATS.find((format) => format === value) ?? 'json';
}

/** What a map is besides its rules. It takes effect with Apply, as one step. */
export function SettingsView({ editor }: { editor: Editor }) {
  const { state, edit, readOnly } = editor;
  const [draft, setDraft] = useState<MapState>(state);
  const put = (change: Partial<MapState>) => setDraft({ ...draft, ...change });
  const fault = targetSampleFault(draft.target_fmt, draft.target_sample);
  const apply = () => {
    const { source_fmt, target_fmt, tx_set, direction, description, target_sample, lookups } =
      draft;
    edit(
      {
        ...state,
        source_fmt,
        target_fmt,
        tx_set,
        direction,
        description,
        target_sample,
        lookups,
      },
      'Changed the settings',
    );
  };
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
          description="The rows of the target come from it, and from the rules."
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
        <Button disabled={readOnly || draft === state} onClick={apply}>
          Apply
        </Button>
      </Group>
    </Stack>
  );
}
