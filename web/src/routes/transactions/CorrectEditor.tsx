import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { codesWords, type Outcome, uncheckedAmong, validationTitle } from '../../core/checked';
import type { Mark } from '../../core/editorMarks';
import { neighboursInWords } from '../../core/neighbours';
import { placesOf } from '../../core/notes';
import {
  type Corrected,
  countUnchanged,
  type Fate,
  fatesOf,
  stateInWords,
} from '../../core/rejectedPlaces';
import { separatorsOf } from '../../core/segments';
import { VALIDATION_STATUSES } from '../../core/statusWords';
import { visibleText } from '../../core/visible';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { ErrorState } from '../../ui/States';
import { WhatWasChecked } from '../inspect/WhatWasChecked';
import { AckErrors } from './AckErrors';
import classes from './Correct.module.css';
import { CorrectForm } from './CorrectForm';
import type { Content } from './content';
import { type Opened, opened, validationQuery } from './correcting';
import { acksQuery } from './detail';
import { LeaveQuestion } from './LeaveQuestion';
import { MarkedEditor, selectIn } from './MarkedEditor';
import { NoteList } from './NoteList';
import { type AckErrorNote, ackErrorNotes, findingNotes, type Note } from './NoteWords';
import type { Transaction } from './queries';
import { isShownNote } from './RawTab';

const TYPING_MS = 400;

interface Props {
  record: Transaction;
  content: Content;
  /** Of the set of the record in the document, from 0; null: it is not known, or not needed. */
  place: number | null;
}

/** The document in an editor, with its findings and the button that sends it. */
export function CorrectEditor({ record, content, place }: Props) {
  const start = useMemo(() => opened(record, content, place), [record, content, place]);
  const [edited, setEdited] = useState({ text: start.text, version: 0 });
  const field = useRef<HTMLTextAreaElement>(null);
  const { notes, errors, failure, result } = useValidation(record, edited);
  const acks = useQuery(acksQuery(record));
  const ackErrors = useMemo(
    () => ackErrorNotes(acks.data ?? [], record.doc_id).map(withinSet),
    [acks.data, record.doc_id],
  );
  const unchecked = useMemo(
    () =>
      result === undefined
        ? []
        : uncheckedAmong(
            result,
            ackErrors.map(({ error }) => error.element_ref),
          ),
    [result, ackErrors],
  );
  const outcome = result?.outcome;
  const fates = useFates(start, edited.text, ackErrors);
  const marks = useMemo(() => marksOf(fates), [fates]);
  const obstacle = useMemo(() => neighboursInWords(record, edited.text), [record, edited.text]);
  const go = (from: number, to: number) => selectIn(field.current, from, to);
  useFirst(fates, field);
  return (
    <div className={classes.columns}>
      <div className={classes.ackErrors}>
        {acks.isError && (
          <ErrorState error={acks.error} what="The acknowledgements could not be loaded." />
        )}
        <AckErrors acks={acks.data ?? []} ackErrors={ackErrors} fates={fates} onGo={go} />
      </div>
      <div className={classes.document}>
        <Panel title="Document">
          {start.unclear !== '' && (
            <p role="note" className={classes.unclear}>
              <Icon name="alert" size={14} /> {start.unclear}
            </p>
          )}
          <MarkedEditor
            field={field}
            text={edited.text}
            marks={marks}
            onText={(text) => setEdited(({ version }) => ({ text, version: version + 1 }))}
          />
          <State of={{ fates, errors, outcome, unchecked }} />
          <p className={classes.about}>{aboutOf(record, edited.text)}</p>
        </Panel>
      </div>
      <div className={classes.side}>
        <Panel title={validationTitle(errors, outcome)}>
          {failure !== null ? (
            <ErrorState error={failure} what="The document cannot be validated." />
          ) : (
            <>
              {unchecked.length > 0 && <p className={classes.unclear}>{codesWords(unchecked)}</p>}
              <Found notes={notes} outcome={outcome} text={edited.text} onGo={go} />
              {result !== undefined && <WhatWasChecked result={result} />}
            </>
          )}
        </Panel>
        <Panel title="Send corrected document">
          <CorrectForm
            record={record}
            text={edited.text}
            terminator={start.terminator}
            errors={errors}
            warning={warningOf(edited.text === start.text, ackErrors, fates)}
            obstacle={obstacle}
          />
        </Panel>
      </div>
      <LeaveQuestion isDirty={edited.text !== start.text} />
    </div>
  );
}

/** Its set stands alone in the editor, so that a path says no more in which set it is. */
function withinSet(ackError: AckErrorNote): AckErrorNote {
  return { ...ackError, path: ackError.path.replace(/^.*\//, '') };
}

/** What validation finds in the text, a moment after the last key. `errors`: null while it runs. */
function useValidation(record: Transaction, edited: { text: string; version: number }) {
  const [checked] = useDebouncedValue(edited, TYPING_MS);
  const { data, error, isPlaceholderData } = useQuery(
    validationQuery(record, checked.text, checked.version),
  );
  const isChecked = checked.version === edited.version && !isPlaceholderData && data !== undefined;
  const findings = data?.findings ?? [];
  const placeOf = useMemo(() => placesOf(checked.text), [checked.text]);
  const notes = findingNotes(findings)
    .filter(isShownNote)
    .map((note) => ({ ...note, offset: note.offset === null ? null : placeOf(note.offset) }));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { notes, errors: isChecked ? errors : null, failure: error, result: data };
}

/** What became of the places that are complained about; typing does not wait for it. */
function useFates(
  { marks, rowOf, text: before }: Opened,
  text: string,
  of: readonly AckErrorNote[],
) {
  const after = useDeferredValue(text);
  const places = useMemo(
    () =>
      of.map(({ offset, error }) => {
        const row = marks === null || offset === null ? null : rowOf(offset);
        return row === null ? null : { row, ackError: error };
      }),
    [marks, rowOf, of],
  );
  return useMemo(
    () => (marks === null ? of.map(() => null) : fatesOf(before, after, places, marks)),
    [marks, before, after, places, of],
  );
}

/** Work begins at the first rejected place: it is selected as soon as it is known, but only once. */
function useFirst(fates: readonly (Fate | null)[], field: RefObject<HTMLTextAreaElement | null>) {
  const wasOffered = useRef(false);
  const first = fates.find((fate) => fate?.kind === 'same');
  useEffect(() => {
    if (!first || !('start' in first) || wasOffered.current) return;
    wasOffered.current = true;
    // Whoever is somewhere else on the page by now stays there.
    const isFree = document.activeElement?.matches('body, main, h1') ?? true;
    // On a narrow screen what is said of the place stands above the editor, and stays in view.
    if (isFree) selectIn(field.current, first.start, first.end, { preventScroll: true });
  }, [first, field]);
}

function marksOf(fates: readonly (Fate | null)[]): Mark[] {
  return fates.flatMap((fate) =>
    fate !== null && 'start' in fate
      ? [{ start: fate.start, end: fate.end, isOpen: fate.kind === 'same' }]
      : [],
  );
}

/** What whoever sends should know; it does not keep them from sending. */
function warningOf(
  isUnchanged: boolean,
  ackErrors: readonly AckErrorNote[],
  fates: readonly (Fate | null)[],
): string {
  const partner = visibleText(ackErrors[0]?.partner ?? '');
  if (isUnchanged) {
    return partner === ''
      ? 'Nothing is changed yet.'
      : `Nothing is changed yet: ${partner} would get the rejected document again.`;
  }
  const unchanged = ackErrors.filter((_, at) => fates[at]?.kind === 'same');
  if (unchanged.length === 0) return '';
  const named = [...new Set(unchanged.map(({ path }) => path || 'a missing segment'))];
  return `Unchanged since ${partner} rejected it: ${named.join(', ')}.`;
}

function aboutOf({ direction, tx_set }: Transaction, text: string): string {
  if (direction === 'inbound') {
    return 'It is processed as if the partner had sent it.';
  }
  return text.trimStart().startsWith('ISA')
    ? 'When it is sent, the envelope gets new control numbers and timestamps.'
    : `When it is sent, the set ${tx_set} gets an envelope with new control numbers.`.replace(
        '  ',
        ' ',
      );
}

/** How far the correction is, also for those who do not see the marks. */
function State({ of }: { of: Corrected }) {
  const { fates, errors, outcome } = of;
  const isOpen = countUnchanged(fates) > 0 || (errors ?? 0) > 0;
  const icon = isOpen || outcome === 'not_checked' ? 'alert' : errors === null ? 'clock' : 'check';
  return (
    <p className={classes.state} role="status" data-open={isOpen || undefined}>
      <Icon name={icon} size={14} /> {stateInWords(of)}
    </p>
  );
}

interface FoundProps {
  notes: readonly Note[];
  outcome: Outcome | undefined;
  text: string;
  onGo: (start: number, end: number) => void;
}

/** What validation finds, each with the way to its place. */
function Found({ notes, outcome, text, onGo }: FoundProps) {
  if (notes.length === 0) {
    return (
      <p className={classes.none}>
        {outcome === 'not_checked'
          ? VALIDATION_STATUSES.not_checked.about
          : 'Validation finds no errors. It checks the standard, not the requirements of a partner.'}
      </p>
    );
  }
  return (
    <div className={classes.notes}>
      <NoteList
        notes={notes}
        after={({ offset, path }) =>
          offset !== null && (
            <button
              type="button"
              className={classes.goTo}
              onClick={() => onGo(offset, elementEnd(text, offset))}
            >
              Go to {path || 'the place'}
            </button>
          )
        }
      />
    </div>
  );
}

/** Where the element ends that begins at a place. */
function elementEnd(text: string, start: number): number {
  const marks = separatorsOf(text);
  const ends = marks === null ? ['\n'] : [...Object.values(marks), '\n', '\r'];
  const found = ends.map((mark: string) => (mark === '' ? -1 : text.indexOf(mark, start)));
  return Math.min(text.length, ...found.filter((at) => at >= 0));
}
