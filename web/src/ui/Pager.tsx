import { Button, Group, Text } from '@mantine/core';

interface Props {
  offset: number;
  limit: number;
  total: number;
  onOffset: (offset: number) => void;
}

/** "1 to 50 of 120", and the way to the neighbours. Shown only where there is more than one page. */
export function Pager({ offset, limit, total, onOffset }: Props) {
  if (total <= limit && offset === 0) return null;
  const last = Math.min(offset + limit, total);
  return (
    <Group justify="space-between" component="nav" aria-label="Pages of the list" p="sm">
      <Text size="sm" c="dimmed">
        {total === 0 ? 0 : offset + 1} to {last} of {total}
      </Text>
      <Group gap="sm">
        <Button
          size="compact-md"
          variant="default"
          disabled={offset === 0}
          onClick={() => onOffset(Math.max(0, offset - limit))}
        >
          Previous
        </Button>
        <Button
          size="compact-md"
          variant="default"
          disabled={last >= total}
          onClick={() => onOffset(offset + limit)}
        >
          Next
        </Button>
      </Group>
    </Group>
  );
}
