/** An account that is suspended while somebody works: no page of it can go on. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ApiError, isApiError } from '../api/error';
import { FullPageState } from '../ui/States';

function suspensionIn(error: unknown): ApiError | null {
  return isApiError(error) && error.code === 'account_suspended' ? error : null;
}

/** The refusal of the first call that was answered so, or null. */
export function useSuspension(): ApiError | null {
  const queries = useQueryClient();
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  useEffect(() => {
    const look = (event: { type: string; action?: { type: string; error?: unknown } }) => {
      if (event.action?.type === 'error') {
        setRefusal((known) => known ?? suspensionIn(event.action?.error));
      }
    };
    const ends = [
      queries.getQueryCache().subscribe(look),
      queries.getMutationCache().subscribe(look),
    ];
    return () => ends.forEach((end) => void end());
  }, [queries]);
  return refusal;
}

/** Stands in place of every page. */
export function SuspendedPage({ message }: { message: string }) {
  return (
    <FullPageState title="This account is suspended">
      <p>{message}</p>
      <Button component="a" href="/login">
        Log in as another user
      </Button>
    </FullPageState>
  );
}
