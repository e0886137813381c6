import { Button, Group, Text } from '@mantine/core';
import { totalWords } from '../core/totalWords';

/** What an answer says of its list. */
interface ListPage {
  count: number;
  total: number;
  /** False: more fit than `total` says. */
  total_is_exact?: boolean;
  has_more: boolean;
}

interface Props {
  offset: number;
  limit: number;
  page: ListPage;
  onOffset: (offset: number) => void;
}

/** "1 to 50 of 120", and the way to the neighbours. Shown only where there is more than one page. */
export function Pager({ offset, limit, page, onOffset }: Props) {
  if (!page.has_more && offset === 0) return null;
  return (
    <Group justify="space-between" component="nav" aria-label="Pages of the list" p="sm">
      <Text size="sm" c="dimmed">
        {page.count === 0 ? 0 : offset + 1} to {offset + page.count} of {totalWords(page)}
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
          disabled={!page.has_more}
          onClick={() => onOffset(offset + limit)}
        >
          Next
        </Button>
      </Group>
    </Group>
  );
}
