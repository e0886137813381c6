import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { ApiError } from '../api/error';
import { useCountdown } from './useCountdown';

/** Seconds until the same can be asked again; 0 if at once. */
export function useWait(refusal: ApiError | null): number {
  const wait = useMemo(() => ({ seconds: refusal?.retryAfter ?? null }), [refusal]);
  return useCountdown(wait);
}

interface Props {
  refusal: ApiError | null;
  /** Of `useWait`. */
  left: number;
}

/** Why a form was refused, under its fields, and when it can be sent again. */
export function RefusalText({ refusal, left }: Props) {
  if (refusal === null) return null;
  return (
    <div>
      <Text role="alert" size="md" c="var(--ls-err)">
        {refusal.message}
      </Text>
      {left > 0 && (
        <Text size="md" c="var(--ls-err)">
          Available again in {left} s.
        </Text>
      )}
    </div>
  );
}

/** The faults of a refusal by field, for the fields that a form has; `ids[1]` belongs to `ids`. */
export function fieldFaults(refusal: ApiError, fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    refusal.details.flatMap(({ param = '', message }) => {
      const field = param.replace(/\[.*$/, '');
      return fields.includes(field) ? [[field, message]] : [];
    }),
  );
}

/** Puts the focus where the first fault is, so that nobody has to look for it. */
export function focusFault(
  form: { getInputNode: (field: string) => HTMLElement | null },
  faults: Record<string, unknown>,
): void {
  const field = Object.keys(faults).find((name) => form.getInputNode(name) !== null);
  if (field !== undefined) form.getInputNode(field)?.focus();
}
