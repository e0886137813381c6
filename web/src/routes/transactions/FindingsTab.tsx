import { useQuery } from '@tanstack/react-query';
import { VALIDATION_STATUSES } from '../../core/statusWords';
import { counted } from '../../core/treeWords';
import { Panel } from '../../ui/Panel';
import { EmptyState } from '../../ui/States';
import { TextLink } from '../../ui/TextLink';
import { WhatWasChecked } from '../inspect/WhatWasChecked';
import { acksQuery } from './detail';
import { Inspected } from './InspectedTabs';
import { NoteList } from './NoteList';
import { ackErrorNotes, findingNotes, type Note } from './NoteWords';
import type { Transaction } from './queries';
import { isShownNote } from './RawTab';

/** What the partner complains about, and what our own validation finds; each leads to its place. */
export function FindingsTab({ record }: { record: Transaction }) {
  const acks = useQuery(acksQuery(record));
  const ackErrors = ackErrorNotes(acks.data ?? [], record.doc_id);
  return (
    <>
      {ackErrors.length > 0 && (
        <Panel title="Errors reported by the partner">
          <Notes notes={ackErrors} record={record} />
        </Panel>
      )}
      <Inspected record={record}>
        {(result) => {
          const { findings, finding_count, outcome } = result;
          const found = findingNotes(findings).filter(isShownNote);
          return (
            <Panel title="Findings of the validation">
              {found.length === 0 ? (
                <EmptyState>
                  {outcome === 'not_checked'
                    ? VALIDATION_STATUSES.not_checked.about
                    : 'Validation finds no errors in this document.'}
                </EmptyState>
              ) : (
                <Notes notes={found} record={record} />
              )}
              <WhatWasChecked result={result} />
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
  return (
    <NoteList
      notes={notes}
      after={({ path, offset }) =>
        path !== '' &&
        offset !== null && (
          <TextLink
            to="/app/transactions/$transactionId"
            params={{ transactionId: String(record.id) }}
            search={{ at: path }}
          >
            Show {path} in the document
          </TextLink>
        )
      }
    />
  );
}
