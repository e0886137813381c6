import { unreadWords } from '../../core/checked';
import { CheckedSets } from '../../ui/CheckedSets';
import { checkedOf, type Inspection } from './queries';

/** What of an answer of inspect or validate is used. */
type ValidationParts = Parameters<typeof checkedOf>[0] &
  Parameters<typeof unreadWords>[0] &
  Pick<Inspection, 'sets' | 'set_count'>;

/** What the outcome rests on. */
export function WhatWasChecked({ result }: { result: ValidationParts }) {
  const checked = checkedOf(result);
  if (checked === null) return null;
  return (
    <>
      {unreadWords(result).map((words) => (
        <p key={words}>{words}</p>
      ))}
      <CheckedSets
        first={checked}
        sets={result.sets ?? []}
        count={result.set_count ?? result.sets?.length ?? 0}
      />
    </>
  );
}
