import { type Stated, statusWords } from '../core/statusWords';
import { StatusBadge } from './StatusBadge';

/** The status of a transaction as a badge; its title says what it means. */
export function TransactionStatus({ of }: { of: Stated }) {
  const { word, tone, about } = statusWords(of);
  return (
    <span title={about}>
      <StatusBadge tone={tone}>{word}</StatusBadge>
    </span>
  );
}
