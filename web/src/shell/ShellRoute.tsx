import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useRouterState } from '@tanstack/react-router';
import { isApiError } from '../api/error';
import { sessionQuery } from '../api/session';
import { ErrorState, FullPageState, Loading } from '../ui/States';
import { Shell } from './Shell';

/** Waits for the session; without one the login page comes first, and leads back here. */
export function ShellRoute() {
  const session = useQuery(sessionQuery);
  const address = useRouterState({ select: ({ location }) => location.href });
  if (session.data !== undefined) return <Shell />;
  if (session.isPending) {
    return (
      <main>
        <Loading label="Longshore is loading" />
      </main>
    );
  }
  if (isApiError(session.error) && session.error.status === 401) {
    return <Navigate to="/login" search={{ next: address }} replace />;
  }
  if (isApiError(session.error) && session.error.code === 'account_suspended') {
    return (
      <FullPageState title="This account is suspended">
        <p>{session.error.message}</p>
        <Button component="a" href="/login">
          Log in as somebody else
        </Button>
      </FullPageState>
    );
  }
  return (
    <FullPageState title="Longshore cannot be shown">
      <ErrorState
        error={session.error}
        what="The session could not be read."
        retry={() => void session.refetch()}
      />
    </FullPageState>
  );
}
