import { useState } from 'react';
import { type ApiError, isApiError } from '../api/error';
import { useWait } from './RefusalText';

export interface Submission {
  busy: boolean;
  /** Why the last attempt was refused, unless the refusal was shown already. */
  refusal: ApiError | null;
  /** Seconds until it can be sent again. */
  left: number;
  /** Does the work, once at a time; `onRefused` returns whether it showed the refusal itself. */
  run: (work: () => Promise<void>, onRefused?: (refusal: ApiError) => boolean) => Promise<void>;
}

/**
 * The life of a form that is sent: busy, refused, to be waited for. What is sent and answered is not
 * kept, unlike in a mutation of the query client: it may be a password or a key.
 */
export function useSubmission(): Submission {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const left = useWait(refusal);
  const run: Submission['run'] = async (work, onRefused = () => false) => {
    if (busy || left > 0) return;
    setBusy(true);
    setRefusal(null);
    const refused = await refusalOfWork(work).finally(() => setBusy(false));
    if (refused !== null && !onRefused(refused)) setRefusal(refused);
  };
  return { busy, refusal, left, run };
}

async function refusalOfWork(work: () => Promise<void>): Promise<ApiError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error;
  }
}
