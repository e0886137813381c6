import { useBlocker } from '@tanstack/react-router';

/** Leaving with changes that are not saved is asked about; within the page nothing is. */
export function useLeaving(dirty: boolean) {
  return useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    withResolver: true,
  });
}

export type Leaving = ReturnType<typeof useLeaving>;
