import { happenedTone, happenedWords } from '../core/timeline';
import { StatusBadge } from './StatusBadge';

/** How an attempt to deliver ended; null: it runs. */
export function AttemptOutcome({ outcome }: { outcome: string | null }) {
  const happened = { at: '', kind: 'attempt', status: outcome ?? '', attempt: 1 };
  const words = happenedWords(happened).replace(/^Attempt [0-9]+ /, '');
  return (
    <StatusBadge tone={outcome === 'succeeded' ? 'ok' : happenedTone(happened)}>
      {words}
    </StatusBadge>
  );
}
