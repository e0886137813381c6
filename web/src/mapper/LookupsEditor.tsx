import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Lookup } from '../core/model';
import overlay from './Overlay.module.css';
import { pairsOf, shownPairs } from './pairs';

interface Props {
  lookups: Lookup[];
  readOnly: boolean;
  onLookups: (lookups: Lookup[]) => void;
}

/** Tables that rules translate values with: a line for each pair. */
export function LookupsEditor({ lookups, readOnly, onLookups }: Props) {
  const put = (index: number, change: Partial<Lookup>) =>
    onLookups(lookups.map((each, at) => (at === index ? { ...each, ...change } : each)));
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600}>Lookup tables</Text>
        {!readOnly && (
          <Button
            size="compact-md"
            variant="default"
            onClick={() =>
              onLookups([...lookups, { name: `table${lookups.length + 1}`, rows: [] }])
            }
          >
            Add table
          </Button>
        )}
      </Group>
      {lookups.length === 0 && (
        <Text size="sm" c="dimmed">
          None. A table turns codes into words, for example EA into each.
        </Text>
      )}
      {lookups.map((lookup, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name is being typed, and no field keeps what the tables do not say
        <div key={index} className={overlay.item}>
          <Group gap="sm" align="flex-end">
            <TextInput
              size="xs"
              label="Name of the table"
              value={lookup.name}
              readOnly={readOnly}
              onChange={(event) => put(index, { name: event.currentTarget.value })}
              style={{ flex: 1 }}
            />
            {!readOnly && (
              <Button
                size="compact-md"
                variant="default"
                aria-label={`Remove table ${lookup.name}`}
                onClick={() => onLookups(lookups.filter((_, at) => at !== index))}
              >
                Remove
              </Button>
            )}
          </Group>
          <RowsField
            rows={lookup.rows}
            name={lookup.name}
            readOnly={readOnly}
            onRows={(rows) => put(index, { rows })}
          />
        </div>
      ))}
    </Stack>
  );
}

interface RowsProps {
  rows: Lookup['rows'];
  name: string;
  readOnly: boolean;
  onRows: (rows: Lookup['rows']) => void;
}

function RowsField({ rows, name, readOnly, onRows }: RowsProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Textarea
      size="xs"
      label={`Pairs of ${name}`}
      description="One pair per line: the value, an equals sign, the replacement."
      value={shownPairs(typed, rows)}
      readOnly={readOnly}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onRows(pairsOf(currentTarget.value));
      }}
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
