import { useQuery } from '@tanstack/react-query';
import { Navigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isApiError } from '../api/error';
import { sessionQuery } from '../api/session';
import { ErrorState, FullPageState, Loading } from '../ui/States';
import { Shell } from './Shell';
import { sessionHint } from './sessionHint';
import { SuspendedPage, useSuspension } from './suspension';

/** Waits for the session; without one the login page comes first, and leads back here. */
export function ShellRoute() {
  const session = useQuery(sessionQuery);
  const suspension = useSuspension();
  const router = useRouter();
  // Not the address of now: while the login page loads, that is the login page's already.
  const [address] = useState(() => router.state.location.href);
  const isLoggedIn = session.data !== undefined;
  useEffect(() => sessionHint.remember(isLoggedIn), [isLoggedIn]);
  if (suspension !== null) return <SuspendedPage message={suspension.message} />;
  if (isLoggedIn) return <Shell />;
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
