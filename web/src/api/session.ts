/** Who is logged in. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, data, type Schemas } from './client';
import { context } from './context';

export type Session = Schemas['SessionAnswer'];

/** Remembers the token of a session that has begun, and leaves an environment it does not have. */
export function begin(session: Session): Session {
  context.setSession(session.csrf_token, session.user.id);
  if (!session.environments.includes(context.environment())) context.setEnvironment('sandbox');
  return session;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await data(api.GET('/api/session'));
    const before = context.userId();
    if (before === null || before === session.user.id) return begin(session);
    // Somebody else has logged in in another tab: what this page holds is not theirs.
    window.location.reload();
    return new Promise<never>(() => undefined);
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** The session of the page; only for pages inside the shell, which waits for it. */
export function useSession(): Session {
  const { data: session } = useQuery(sessionQuery);
  if (session === undefined) throw new Error('a page of the shell was shown without a session');
  return session;
}
