import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { beginningText } from '../../core/beginning';
import { separatorsOf } from '../../core/segments';
import { sizeInWords } from '../../core/textFile';
import { DocumentText } from '../../ui/DocumentText';
import { Icon } from '../../ui/Icon';
import { notifyFailed } from '../../ui/notify';
import { Panel } from '../../ui/Panel';
import { EmptyState, QueryState } from '../../ui/States';
import classes from './Interchanges.module.css';
import { beginningQuery, downloadInterchange, type Interchange, SHOWN_BYTES } from './queries';

/** The content as it was received or sent; of a large one its beginning. */
export function InterchangeText({ of: { id, file_size } }: { of: Interchange }) {
  const content = useQuery(beginningQuery(id));
  return (
    <Panel title="Content" flush actions={<Download id={id} />}>
      <QueryState query={content} what="The content could not be loaded.">
        {(bytes) => <Beginning bytes={bytes} size={file_size} />}
      </QueryState>
    </Panel>
  );
}

function Beginning({ bytes, size }: { bytes: Uint8Array; size: number }) {
  const isCut = bytes.length >= SHOWN_BYTES && size > bytes.length;
  const text = useMemo(() => beginningText(bytes, isCut), [bytes, isCut]);
  const separators = useMemo(() => (text === null ? null : separatorsOf(text)), [text]);
  if (bytes.length === 0) return <EmptyState>It is empty.</EmptyState>;
  if (text === null) {
    return <EmptyState>It is not text. Download it to see its bytes.</EmptyState>;
  }
  return (
    <>
      {isCut && (
        <p className={classes.note}>
          These are the first {sizeInWords(bytes.length)} of {sizeInWords(size)}. Download it to see
          the rest.
        </p>
      )}
      <DocumentText label="Content, text" text={text} separators={separators} />
    </>
  );
}

function Download({ id }: { id: number }) {
  const save = useMutation({
    mutationFn: () => downloadInterchange(id),
    onError: (error) => notifyFailed('The interchange could not be downloaded.', error),
  });
  return (
    <Button
      size="compact-md"
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      Download
    </Button>
  );
}
