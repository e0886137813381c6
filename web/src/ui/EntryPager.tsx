import { Button, Group } from '@mantine/core';

interface Props {
  /** The entry that the shown page goes on from; undefined: it shows the newest. */
  before: number | undefined;
  /** Where to go on; null at the end. */
  next: number | null;
  onTurn: (position: number | undefined) => void;
}

/** For a list without page numbers: it goes on from an entry, and back by the browser. */
export function EntryPager({ before, next, onTurn }: Props) {
  if (before === undefined && next === null) return null;
  return (
    <Group component="nav" aria-label="Pages of the list" p="sm" gap="sm" justify="flex-end">
      <Button
        size="compact-md"
        variant="default"
        disabled={before === undefined}
        onClick={() => onTurn(undefined)}
      >
        Newest
      </Button>
      <Button
        size="compact-md"
        variant="default"
        disabled={next === null}
        onClick={() => onTurn(next ?? undefined)}
      >
        Older
      </Button>
    </Group>
  );
}
