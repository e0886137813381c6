import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { separatorsOf } from '../../core/segments';
import { CopyButton } from '../../ui/CopyButton';
import { DocumentText } from '../../ui/DocumentText';

/** What the sender would be answered. */
export function Acknowledgement({ type, text }: { type: string; text: string }) {
  const separators = useMemo(() => separatorsOf(text), [text]);
  return (
    <>
      <Group justify="space-between" gap="sm" mb="sm">
        <Text>
          {type === ''
            ? 'The acknowledgement the sender would get.'
            : `The ${type} the sender would get.`}
        </Text>
        <CopyButton text={text} what="acknowledgement" />
      </Group>
      <DocumentText label="Acknowledgement" text={text} separators={separators} />
    </>
  );
}
