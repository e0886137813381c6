import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../core/treeWords';
import { Panel } from '../../ui/Panel';
import { EmptyState } from '../../ui/States';
import { TextLink } from '../../ui/TextLink';
import classes from './Detail.module.css';
import { acksQuery } from './detail';
import { Inspected } from './InspectedTabs';
import { complaintsOf, findingNotes, type Note, NoteWords } from './NoteWords';
import type { Transaction } from './queries';
import { isTold } from './RawTab';

const AT_ONCE = 100;

/** What the partner complains about, and what our own validation finds; each leads to its place. */
export function FindingsTab({ record }: { record: Transaction }) {
  const acks = useQuery(acksQuery(record));
  const complaints = complaintsOf(acks.data ?? [], record.doc_id);
  return (
    <>
      {complaints.length > 0 && (
        <Panel title="What the partner says">
          <Notes notes={complaints} record={record} />
        </Panel>
      )}
      <Inspected record={record}>
        {({ findings, finding_count }) => {
          const found = findingNotes(findings).filter(isTold);
          return (
            <Panel title="What validation finds">
              {found.length === 0 ? (
                <EmptyState>Validation finds nothing wrong in this document.</EmptyState>
              ) : (
                <Notes notes={found} record={record} />
              )}
              {(finding_count ?? 0) > findings.length && (
                <p>
                  The first {findings.length} of {counted(finding_count ?? 0, 'finding')}.
                </p>
              )}
            </Panel>
          );
        }}
      </Inspected>
    </>
  );
}

function Notes({ notes, record }: { notes: readonly Note[]; record: Transaction }) {
  const [most, setMost] = useState(AT_ONCE);
  return (
    <>
      <ol className={classes.said}>
        {notes.slice(0, most).map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the notes have no other name
          <li key={index}>
            <NoteWords note={note} />
            {note.path !== '' && note.offset !== null && (
              <TextLink
                to="/app/transactions/$transactionId"
                params={{ transactionId: String(record.id) }}
                search={{ at: note.path }}
              >
                Show {note.path} in the document
              </TextLink>
            )}
          </li>
        ))}
      </ol>
      {notes.length > most && (
        <Button variant="default" mt="md" onClick={() => setMost(most + AT_ONCE)}>
          Show {Math.min(AT_ONCE, notes.length - most)} more of {notes.length}
        </Button>
      )}
    </>
  );
}
