import { placeOfAckError } from '../../core/ackWords';
import { ListInWords } from '../../ui/ListInWords';
import { StatusBadge } from '../../ui/StatusBadge';
import { VisibleText } from '../../ui/VisibleText';
import { FindingWords } from '../inspect/FindingWords';
import type { Finding } from '../inspect/queries';
import classes from './Detail.module.css';
import type { Ack, AckError } from './detail';
import { RuleOf } from './RuleOf';

interface Placed {
  offset: number | null;
  path: string;
}

/** What a partner complains about. */
export interface AckErrorNote extends Placed {
  kind: 'ackError';
  error: AckError;
  partner: string;
  docId: number | null;
}

/** Something that is said of a place in a document: by a partner, or by our own validation. */
export type Note = AckErrorNote | (Placed & { kind: 'finding'; finding: Finding });

/** What partners complained about in a document that we sent. */
export function ackErrorNotes(acks: readonly Ack[], docId: number | null): AckErrorNote[] {
  return acks
    .filter(({ direction }) => direction === 'inbound')
    .flatMap(({ errors, partner_name }) =>
      errors.map((error): AckErrorNote => {
        const partner = partner_name === '' ? 'The partner' : partner_name;
        const place = { offset: error.our_offset, path: error.our_path };
        return { kind: 'ackError', error, partner, docId, ...place };
      }),
    );
}

export function findingNotes(findings: readonly Finding[]): Note[] {
  return findings.map((finding) => ({
    kind: 'finding',
    finding,
    offset: finding.offset,
    path: finding.path ?? '',
  }));
}

/** A note in words. */
export function NoteWords({ note }: { note: Note }) {
  if (note.kind === 'finding') return <FindingWords finding={note.finding} />;
  return <AckErrorText {...note} />;
}

const ALLOWED = 'Allowed here: ';
const MAX_CODES = 20;

/** What would be right; a long list of codes opens. */
function Hint({ text }: { text: string }) {
  if (text === '') return null;
  if (!text.startsWith(ALLOWED)) return <p>{text}</p>;
  return (
    <p>
      {ALLOWED}
      <ListInWords items={text.slice(ALLOWED.length).split(', ')} most={MAX_CODES} what="codes" />
    </p>
  );
}

type AckErrorProps = Pick<AckErrorNote, 'error' | 'partner' | 'docId'>;

/** What a partner complains about: where, what stands there, what would be allowed, what wrote it. */
function AckErrorText({ error, partner, docId }: AckErrorProps) {
  const place = error.our_path === '' ? placeOfAckError(error) : error.our_path;
  return (
    <div className={classes.note}>
      <StatusBadge tone="err">Rejected</StatusBadge>
      <div className={classes.noteWords}>
        <p>
          <code>
            <VisibleText text={place} />
          </code>
          {': '}
          <VisibleText text={partner} /> says {error.code_meaning || 'that it is wrong'} (
          {error.source} {error.code})
        </p>
        {error.our_value !== '' && (
          <p>
            The value was{' '}
            <code>
              <VisibleText text={error.our_value} />
            </code>
            .
          </p>
        )}
        <Hint text={error.hint} />
        {error.our_rule !== '' && docId !== null && <RuleOf docId={docId} rule={error.our_rule} />}
      </div>
    </div>
  );
}
