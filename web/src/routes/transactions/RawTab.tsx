import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { separatorsOf } from '../../core/segments';
import { sizeInWords } from '../../core/textFile';
import { CopyButton } from '../../ui/CopyButton';
import { Icon } from '../../ui/Icon';
import { notifyFailed } from '../../ui/notify';
import { Panel } from '../../ui/Panel';
import { isMissing } from '../../ui/RecordState';
import { EmptyState, QueryState } from '../../ui/States';
import {
  type Content,
  contentQuery,
  downloadContent,
  inspectedContentQuery,
  MAX_SHOWN_BYTES,
} from './content';
import classes from './Detail.module.css';
import { acksQuery } from './detail';
import { NotedText } from './NotedText';
import { NoteList } from './NoteList';
import { ackErrorNotes, findingNotes, type Note } from './NoteWords';
import type { Transaction } from './queries';

interface Props {
  record: Transaction;
  /** The path of the chosen element. */
  at: string | undefined;
}

/** The document as it was sent or received, with what is wrong at its very place. */
export function RawTab({ record, at }: Props) {
  const content = useQuery(contentQuery(record.id));
  if (isMissing(content.error)) return <NoContent />;
  return (
    <QueryState query={content} what="The document could not be loaded.">
      {(found) => <Raw record={record} content={found} at={at} />}
    </QueryState>
  );
}

/** Said wherever the document of a record would stand. */
export function NoContent() {
  return (
    <Panel>
      <EmptyState>
        The document is no longer stored: documents are deleted when their retention period is over.
        The data of the transaction stays on this page.
      </EmptyState>
    </Panel>
  );
}

interface RawProps extends Props {
  content: Content;
}

function Raw({ record, content, at }: RawProps) {
  const { text, isWhole } = content;
  const acks = useQuery(acksQuery(record));
  const inspected = useQuery({ ...inspectedContentQuery(record, content), enabled: isWhole });
  const separators = useMemo(() => separatorsOf(text), [text]);
  const notes = useMemo(
    () => [
      ...ackErrorNotes(acks.data ?? [], record.doc_id),
      ...findingNotes(inspected.data?.findings ?? []).filter(isShownNote),
    ],
    [acks.data, inspected.data, record.doc_id],
  );
  const nowhere = notes.filter(({ offset }) => offset === null || offset >= text.length);
  return (
    <>
      {nowhere.length > 0 && (
        <Panel title="Without a position in this text">
          <NoteList notes={nowhere} />
        </Panel>
      )}
      <Panel title="Document" flush actions={isWhole && <CopyButton text={text} />}>
        <NotedText
          label="Document, text"
          content={text}
          separators={separators}
          notes={notes}
          at={at}
        />
        {!isWhole && <TooLong record={record} />}
      </Panel>
    </>
  );
}

/** Whether a note belongs to the page: a set that we keep without its envelope lacks none. */
export function isShownNote(note: Note): boolean {
  return note.kind !== 'finding' || note.finding.code !== 'no_envelope';
}

function TooLong({ record }: { record: Transaction }) {
  return (
    <div className={classes.rest}>
      Shown are the first {sizeInWords(MAX_SHOWN_BYTES)} of {sizeInWords(record.file_size)}.{' '}
      <Download record={record} />
    </div>
  );
}

/** Saves the whole document as a file. */
export function Download({ record }: { record: Transaction }) {
  const save = useMutation({
    mutationFn: () => downloadContent(record),
    onError: (error) => notifyFailed('The document could not be downloaded.', error),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      Download
    </Button>
  );
}
