/** What was made of a transaction by a correction or a reissue, and what stands in its place. */
import type { Stated, TransactionStatus } from './statusWords';

interface Made extends Stated {
  id: number;
}

/** What was made of another one and came to nothing, so that it may be made once more: as the server has it. */
const FALLEN: ReadonlySet<TransactionStatus> = new Set([
  'invalid',
  'failed',
  'rejected',
  'cancelled',
  'quarantined',
  'duplicate',
]);

/** The last of those made of a transaction, oldest first, that stands in its place; null: none. */
export function successorOf<Record extends Made>(made: readonly Record[]): Record | null {
  return made.findLast(({ status }) => !FALLEN.has(status)) ?? null;
}
