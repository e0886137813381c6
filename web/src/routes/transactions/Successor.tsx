import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { statusWords } from '../../core/statusWords';
import { successorOf } from '../../core/successors';
import { Icon } from '../../ui/Icon';
import { TextLink } from '../../ui/TextLink';
import { laterQuery } from './detail';
import type { Transaction } from './queries';

const WHERE = { sandbox: 'the sandbox', production: 'production' } as const;

interface Props {
  record: Transaction;
}

/** What stands in the place of a record; null: nothing, or `isKnown` is false. */
export function useSuccessor(record: Transaction) {
  const made = useQuery(laterQuery(record));
  return { successor: successorOf(made.data ?? []), isKnown: !made.isPending };
}

/** Says that something stands in the place of a record, before another one is made; else nothing. */
export function SentAlready({ record }: Props) {
  const { successor } = useSuccessor(record);
  if (successor === null) return null;
  return (
    <Text role="note" c="var(--ls-warn)">
      <Icon name="alert" size={14} /> It was {doneTo(record)} again already:{' '}
      <RecordLink id={successor.id} />
      {successor.environment !== record.environment && ` in ${WHERE[successor.environment]}`},{' '}
      {statusWords(successor).word}.
    </Text>
  );
}

/** Next to the status of a record: the record that supersedes it, else the last one made from it. */
export function SentAnew({ record }: Props) {
  const made = useQuery(laterQuery(record)).data ?? [];
  const shown = successorOf(made) ?? made.at(-1);
  if (shown === undefined) return null;
  return (
    <span>
      Resent as <RecordLink id={shown.id} /> ({statusWords(shown).word})
    </span>
  );
}

/** What happens to a record that is corrected: of what was received nothing is sent. */
function doneTo({ direction }: Transaction): string {
  return direction === 'inbound' ? 'submitted' : 'sent';
}

export function RecordLink({ id }: { id: number }) {
  return (
    <TextLink to="/app/transactions/$transactionId" params={{ transactionId: String(id) }}>
      {id}
    </TextLink>
  );
}
