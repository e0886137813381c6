import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LoginForm } from '../shell/LoginForm';
import { Gate } from './Gate';
import { safeNext } from './next';

const route = getRouteApi('/login');

export function LoginPage() {
  const { next } = route.useSearch();
  const router = useRouter();
  useEffect(() => {
    document.querySelector<HTMLInputElement>('input[type=email]')?.focus();
  }, []);
  return (
    <Gate title="Log in">
      <LoginForm onLoggedIn={() => router.history.push(safeNext(next))} />
    </Gate>
  );
}
