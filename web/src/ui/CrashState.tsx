import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type ApiError, isApiError } from '../api/error';
import { offlineNow } from '../api/files';
import { notifyFailed } from './notify';
import { Page } from './Page';
import { ErrorState, FullPageState } from './States';

/** What stands in place of a page that cannot be shown, instead of nothing. */
export function CrashState({ error }: ErrorComponentProps) {
  if (isApiError(error)) return <NotLoaded error={error} />;
  return (
    <Frame title="This page failed">
      <p>
        This is an error in Longshore, not in your document. Its message:{' '}
        {error instanceof Error ? error.message : 'none'}
      </p>
      <Button onClick={() => window.location.reload()}>Reload the page</Button>
    </Frame>
  );
}

const WHAT = 'The page could not be loaded.';

/** The files of a page did not come: it is loaded as a whole as soon as the server answers. */
function NotLoaded({ error }: { error: ApiError }) {
  const again = async () => {
    const offline = await offlineNow();
    if (offline === null) window.location.reload();
    else notifyFailed(WHAT, offline);
  };
  return (
    <Frame title="This page could not be loaded">
      <ErrorState error={error} what={WHAT} retry={() => void again()} />
    </Frame>
  );
}

/** Within the shell, where it is there, a part of it. */
function Frame({ title, children }: { title: string; children: ReactNode }) {
  const isInShell = document.getElementById('main') !== null;
  if (!isInShell) return <FullPageState title={title}>{children}</FullPageState>;
  return <Page title={title}>{children}</Page>;
}
