/** What a page shows instead of its content: nothing yet, nothing at all, or what went wrong. */
import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type ApiError, isApiError } from '../api/error';
import { Icon } from './Icon';
import classes from './States.module.css';
import { useCountdown } from './useCountdown';

const SKELETON_AFTER_MS = 200;

/** A skeleton, but not for what arrives at once. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" role="status" aria-label={label} className={classes.loading}>
      {late && (
        <Stack gap="sm" aria-hidden>
          <Skeleton height={20} width="40%" />
          <Skeleton height={14} />
          <Skeleton height={14} />
          <Skeleton height={14} width="70%" />
        </Stack>
      )}
    </div>
  );
}

interface EmptyProps {
  /** One sentence. */
  children: ReactNode;
  /** The one thing to do next. */
  action?: ReactNode;
}

export function EmptyState({ children, action }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <p>{children}</p>
      {action}
    </div>
  );
}

const TITLES: Record<string, string> = {
  offline: 'No connection to the server',
  not_found: 'Not found',
  plan_required: 'Your plan does not include this',
  forbidden_role: 'Your role does not allow this',
  account_suspended: 'This account is suspended',
  rate_limited: 'Too many requests',
  overloaded: 'The server is busy',
};

interface ErrorProps {
  error: unknown;
  /** What could not be done, such as "The maps could not be loaded." */
  what: string;
  retry?: () => void;
}

/** What failed, why, the id to give to whoever runs the service, and a way to try again. */
export function ErrorState({ error, what, retry }: ErrorProps) {
  const refusal = isApiError(error) ? error : null;
  const title = refusal === null ? 'Something went wrong' : (TITLES[refusal.code] ?? what);
  return (
    <Alert
      color="var(--ls-err)"
      variant="outline"
      icon={<Icon name="alert" />}
      title={title}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="md">{error instanceof Error ? error.message : what}</Text>
        {refusal !== null && refusal.requestId !== '' && (
          <Text size="sm" c="dimmed">
            Request <code>{refusal.requestId}</code>
          </Text>
        )}
        {/* What is not there is not there the next time either. */}
        {retry !== undefined && refusal?.code !== 'not_found' && (
          <Retry refusal={refusal} retry={retry} />
        )}
      </Stack>
    </Alert>
  );
}

function Retry({ refusal, retry }: { refusal: ApiError | null; retry: () => void }) {
  const wait = useMemo(() => ({ seconds: refusal?.retryAfter ?? null }), [refusal]);
  const left = useCountdown(wait);
  return (
    <Group gap="sm">
      <Button variant="default" size="compact-md" onClick={retry} disabled={left > 0}>
        Try again
      </Button>
      {left > 0 && <Text size="sm">Available again in {left} s</Text>}
    </Group>
  );
}

interface QueryStateProps<Data> {
  query: UseQueryResult<Data>;
  /** What could not be done if it fails. */
  what: string;
  children: (data: Data) => ReactNode;
}

/** Shows a query: loading, failed, or its data; and failed with the data it had before. */
export function QueryState<Data>({ query, what, children }: QueryStateProps<Data>) {
  const retry = () => void query.refetch();
  if (query.data === undefined) {
    if (query.isPending) return <Loading />;
    return <ErrorState error={query.error} what={what} retry={retry} />;
  }
  return (
    <>
      {query.isError && <ErrorState error={query.error} what={what} retry={retry} />}
      {children(query.data)}
    </>
  );
}

/** A whole page that only says why there is none. */
export function FullPageState({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Longshore`;
  }, [title]);
  return (
    <main className={classes.full}>
      <Title order={1}>{title}</Title>
      {children}
      <div id="overlays" />
    </main>
  );
}
