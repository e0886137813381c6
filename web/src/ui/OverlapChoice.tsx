import { Radio, Stack } from '@mantine/core';
import { DEFAULT_OVERLAP, OVERLAPS } from '../core/keys';

interface Props {
  label: string;
  /** What no overlap means for the old secret. */
  none: string;
  hours: number;
  onHours: (hours: number) => void;
}

/** For how long a replaced secret still works. */
export function OverlapChoice({ label, none, hours, onHours }: Props) {
  return (
    <Radio.Group label={label} value={String(hours)} onChange={(value) => onHours(Number(value))}>
      <Stack gap="sm" mt="xs">
        {OVERLAPS.map(([value, words]) => (
          <Radio
            key={value}
            value={String(value)}
            label={value === 0 ? `${words}: ${none}` : words}
            data-autofocus={value === DEFAULT_OVERLAP ? true : undefined}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
