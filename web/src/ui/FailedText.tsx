import { isApiError } from '../api/error';
import { useWait } from './RefusalText';

/** Why something failed, the id to give to whoever runs the service, and when it can be tried again. */
export function FailedText({ error, why }: { error: unknown; why: string }) {
  const refusal = isApiError(error) ? error : null;
  const left = useWait(refusal);
  const id = refusal?.requestId ?? '';
  return (
    <>
      {why}
      {id !== '' && ` Request ${id}.`}
      {(refusal?.retryAfter ?? 0) > 0 && (
        // A timer is not read each second.
        <span role="timer"> Available again {left > 0 ? `in ${left} s` : 'now'}.</span>
      )}
    </>
  );
}
