import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session';
import { LoginForm } from '../shell/LoginForm';
import { sessionHint } from '../shell/sessionHint';
import { Gate } from './Gate';
import { safeNext } from './next';

const route = getRouteApi('/login');

/** Lets somebody in, and leads on to where they wanted to go. */
export function LoginPage() {
  const { next } = route.useSearch();
  const router = useRouter();
  const session = useQuery({ ...sessionQuery, enabled: sessionHint.isLikely, retryOnMount: false });
  useEffect(() => {
    document.querySelector<HTMLInputElement>('input[type=email]')?.focus();
  }, []);
  const isLoggedIn = session.data !== undefined;
  useEffect(() => {
    if (isLoggedIn) router.history.replace(safeNext(next));
  }, [isLoggedIn, next, router]);
  return (
    <Gate title="Log in">
      {/* The session that begins is in the cache, which leads on. */}
      <LoginForm onLoggedIn={() => undefined} />
    </Gate>
  );
}
