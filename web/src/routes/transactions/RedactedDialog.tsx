import { Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { forEditing } from '../../core/editedText';
import { masked, redactedX12, unmaskedElements } from '../../core/redact';
import { separatorsOf } from '../../core/segments';
import { CodeBlock } from '../../ui/CodeBlock';
import { QueryState } from '../../ui/States';
import { useFocusBack } from '../../ui/useFocusBack';
import type { Inspection } from '../inspect/queries';
import { type Content, contentQuery, inspectedContentQuery } from './content';
import type { Transaction } from './queries';

interface Props {
  record: Transaction;
  onClose: () => void;
}

/** A document with its values masked, to be shown to others. */
export function RedactedDialog({ record, onClose }: Props) {
  useFocusBack();
  const content = useQuery(contentQuery(record.id));
  return (
    <Modal opened onClose={onClose} title="Redacted copy" size="xl">
      <Stack gap="md">
        <Text>
          Letters are replaced by X and digits by 9. Segment ids, separators and codes of the
          dictionary stay. Check the text before you share it.
        </Text>
        <QueryState query={content} what="The document could not be loaded.">
          {(found) => <Redacted record={record} content={found} />}
        </QueryState>
      </Stack>
    </Modal>
  );
}

function Redacted({ record, content }: { record: Transaction; content: Content }) {
  const inspected = useQuery({
    ...inspectedContentQuery(record, content),
    enabled: content.isWhole,
  });
  if (content.isWhole && inspected.isPending) return null;
  const text = redacted(content.text, inspected.data);
  return (
    <>
      <CodeBlock label="Redacted document" text={text}>
        {forEditing(text).text}
      </CodeBlock>
      {!content.isWhole && <Text>The document is longer; this is its beginning.</Text>}
    </>
  );
}

/** What is not understood is masked without exception. */
function redacted(text: string, inspection: Inspection | undefined): string {
  const separators = separatorsOf(text);
  if (separators === null || inspection?.format === undefined) return masked(text);
  return inspection.format === 'x12'
    ? redactedX12(text, separators, unmaskedElements(inspection.tree))
    : masked(text);
}
