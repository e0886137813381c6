import { errorsInWords, outcomeInWords } from '../../core/ackWords';
import { type Fate, fateInWords } from '../../core/rejectedPlaces';
import { visibleText } from '../../core/visible';
import { Panel } from '../../ui/Panel';
import { StatusBadge } from '../../ui/StatusBadge';
import { VisibleText } from '../../ui/VisibleText';
import classes from './Correct.module.css';
import type { Ack } from './detail';
import { NoteList } from './NoteList';
import type { AckErrorNote } from './NoteWords';

interface Props {
  acks: readonly Ack[];
  ackErrors: readonly AckErrorNote[];
  /** What became of each complaint's place; null: it has none in the editor. */
  fates: readonly (Fate | null)[];
  onGo: (start: number, end: number) => void;
}

/** AK502 and IK502 where errors are in segments: what these are stands with each of them. */
const IN_SEGMENTS: ReadonlySet<string> = new Set(['5', 'I5', '']);

/** What the partner complained about, and what became of each of its places while it is edited. */
export function AckErrors({ acks, ackErrors, fates, onGo }: Props) {
  const answers = acks.filter(
    ({ direction, transaction_error_codes: codes, errors }) =>
      direction === 'inbound' &&
      codes.some((code) => errors.length === 0 || !IN_SEGMENTS.has(code)),
  );
  if (ackErrors.length === 0 && answers.length === 0) return null;
  return (
    <Panel title="Errors reported by the partner">
      <div className={classes.notes}>
        {answers.map((ack) => (
          <p key={ack.id} className={classes.answer}>
            <VisibleText text={ack.partner_name || 'The partner'} /> answered {outcomeInWords(ack)}.
            For the whole set: {errorsInWords(ack).join('; ')}.
          </p>
        ))}
        <NoteList
          notes={ackErrors}
          after={({ path }, index) => (
            <Became fate={fates[index] ?? null} path={path} onGo={onGo} />
          )}
        />
      </div>
    </Panel>
  );
}

interface BecameProps {
  fate: Fate | null;
  path: string;
  onGo: Props['onGo'];
}

function Became({ fate, path, onGo }: BecameProps) {
  if (fate === null) return null;
  const isOpen = fate.kind === 'same';
  return (
    <div className={classes.became}>
      <StatusBadge tone={isOpen ? 'err' : 'plain'} icon={isOpen ? 'alert' : 'check'}>
        {visibleText(fateInWords(fate))}
      </StatusBadge>
      {'start' in fate && (
        <button type="button" className={classes.goTo} onClick={() => onGo(fate.start, fate.end)}>
          Go to {path || 'the place'}
        </button>
      )}
    </div>
  );
}
