import { Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { placesOf } from '../../core/notes';
import { counted } from '../../core/treeWords';
import { Panel } from '../../ui/Panel';
import { ErrorState } from '../../ui/States';
import classes from './Correct.module.css';
import { CorrectForm } from './CorrectForm';
import type { Content } from './content';
import { opened, validationQuery } from './correcting';
import { acksQuery } from './detail';
import { LeaveQuestion } from './LeaveQuestion';
import { complaintsOf, findingNotes, type Note, NoteWords } from './NoteWords';
import type { Transaction } from './queries';
import { isTold } from './RawTab';

const TYPING_MS = 400;
const LINE_PX = 20;
const MOST_NOTES = 100;

interface Props {
  record: Transaction;
  content: Content;
}

/** The document in an editor, with what is wrong in it beside, and the button that sends it. */
export function CorrectEditor({ record, content }: Props) {
  const start = useMemo(() => opened(record, content), [record, content]);
  const [edited, setEdited] = useState({ text: start.text, version: 0 });
  const [isSent, setSent] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const [checked] = useDebouncedValue(edited, TYPING_MS);
  const validation = useQuery(validationQuery(record, checked.text, checked.version));
  const isChecked = checked.version === edited.version && !validation.isPlaceholderData;
  const findings = validation.data?.findings ?? [];
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const isDirty = edited.text !== start.text && !isSent;
  return (
    <div className={classes.columns}>
      <Panel title="Document">
        <Textarea
          ref={field}
          aria-label="Document"
          value={edited.text}
          spellCheck={false}
          autoComplete="off"
          wrap="off"
          rows={24}
          classNames={{ input: classes.text ?? '' }}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setEdited(({ version }) => ({ text, version: version + 1 }));
          }}
        />
        <p className={classes.about}>{aboutOf(record, edited.text)}</p>
      </Panel>
      <div className={classes.side}>
        <Panel title="Send corrected">
          <CorrectForm
            record={record}
            text={edited.text}
            terminator={start.terminator}
            errors={isChecked && validation.data !== undefined ? errors : null}
            onSent={() => setSent(true)}
          />
        </Panel>
        <Complaints record={record} placeOf={start.placeOf} field={field} />
        <Panel title={isChecked ? `Validation: ${counted(errors, 'error')}` : 'Validation runs'}>
          {validation.isError ? (
            <ErrorState error={validation.error} what="The document cannot be validated." />
          ) : (
            <Places
              notes={findingNotes(findings).filter(isTold)}
              placeOf={placesOf(checked.text)}
              field={field}
              none="Validation finds nothing wrong."
            />
          )}
        </Panel>
      </div>
      <LeaveQuestion isDirty={isDirty} />
    </div>
  );
}

function aboutOf({ direction, tx_set }: Transaction, text: string): string {
  if (direction === 'inbound') {
    return 'It is handed in as if the partner had sent it, and processed like anything received.';
  }
  return text.trimStart().startsWith('ISA')
    ? 'When it is sent, the envelope gets new control numbers and times.'
    : `When it is sent, the set ${tx_set} gets an envelope with new control numbers.`.replace(
        '  ',
        ' ',
      );
}

interface ComplaintsProps {
  record: Transaction;
  placeOf: (offset: number) => number | null;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** What the partner complained about in the document as it was. */
function Complaints({ record, placeOf, field }: ComplaintsProps) {
  const acks = useQuery(acksQuery(record));
  const notes = complaintsOf(acks.data ?? [], record.doc_id);
  if (notes.length === 0) return null;
  return (
    <Panel title="What the partner says">
      <Places notes={notes} placeOf={placeOf} field={field} none="" />
    </Panel>
  );
}

interface PlacesProps {
  notes: readonly Note[];
  placeOf: (offset: number) => number | null;
  field: RefObject<HTMLTextAreaElement | null>;
  none: string;
}

function Places({ notes, placeOf, field, none }: PlacesProps) {
  if (notes.length === 0) return <p className={classes.none}>{none}</p>;
  return (
    <ol className={classes.notes}>
      {notes.slice(0, MOST_NOTES).map((note, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the notes have no other name
        <li key={index}>
          <NoteWords note={note} />
          <GoTo
            note={note}
            place={note.offset === null ? null : placeOf(note.offset)}
            field={field}
          />
        </li>
      ))}
    </ol>
  );
}

interface GoToProps {
  note: Note;
  place: number | null;
  field: RefObject<HTMLTextAreaElement | null>;
}

function GoTo({ note, place, field }: GoToProps) {
  if (place === null) return null;
  return (
    <button type="button" className={classes.goTo} onClick={() => select(field.current, place)}>
      Go to {note.path || 'the place'}
    </button>
  );
}

/** Selects the element that begins at a place, and brings it into view. */
function select(field: HTMLTextAreaElement | null, place: number): void {
  if (field === null) return;
  const length = /^[^*|~\n\r^>:+]*/.exec(field.value.slice(place, place + 200))?.[0].length ?? 0;
  const line = field.value.slice(0, place).split('\n').length - 1;
  field.focus();
  field.setSelectionRange(place, place + length);
  field.scrollTop = Math.max(0, line * LINE_PX - field.clientHeight / 2);
}
