import { Button, Group, Text } from '@mantine/core';
import { rangeWords } from '../core/totalWords';

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
  /** What the list is narrowed to, behind its total: `October 2026`. */
  about?: string;
  onOffset: (offset: number) => void;
}

/** "1 to 50 of 120", and where there is more than one page the way to its neighbours. */
export function Pager({ offset, limit, page, about = '', onOffset }: Props) {
  const words = (
    <Text size="sm" c="dimmed">
      {rangeWords(offset, page)}
      {about !== '' && `, ${about}`}
    </Text>
  );
  if (!page.has_more && offset === 0) {
    return (
      <Group p="sm" data-total>
        {words}
      </Group>
    );
  }
  return (
    <Group justify="space-between" component="nav" aria-label="Pages of the list" p="sm">
      {words}
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
