import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { FullPageState } from './States';

/** A fault of ours: the page says so instead of staying white. */
export function CrashState({ error }: ErrorComponentProps) {
  return (
    <FullPageState title="This page has failed">
      <p>
        It is a fault of Longshore, not of your document. The text of it:{' '}
        {error instanceof Error ? error.message : 'none'}
      </p>
      <Button onClick={() => window.location.reload()}>Load the page again</Button>
    </FullPageState>
  );
}
