import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { absoluteTime } from '../core/time';
import { Icon } from './Icon';
import { announce } from './LiveRegion';

interface Props {
  /** Rows that wait to be shown. */
  waiting: number;
  onShow: () => void;
  /** When the list was read last, in milliseconds since 1970; 0: never. */
  updatedAt: number;
}

/** Over a list that refreshes: how fresh it is, and the way to what came meanwhile. */
export function FreshBar({ waiting, onShow, updatedAt }: Props) {
  useEffect(() => {
    if (waiting > 0) announce(`${waiting} new in the list.`);
  }, [waiting]);
  return (
    <Group gap="sm">
      {waiting > 0 && (
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<Icon name="arrowUp" size={14} />}
          onClick={onShow}
        >
          {waiting} new
        </Button>
      )}
      {updatedAt > 0 && (
        <Text size="sm" c="dimmed" component="span">
          as of <time dateTime={new Date(updatedAt).toISOString()}>{shortTime(updatedAt)}</time>
        </Text>
      )}
    </Group>
  );
}

/** `14:05:09 UTC`. */
function shortTime(millis: number): string {
  return absoluteTime(millis).slice(11);
}
