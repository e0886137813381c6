import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { leave } from '../../shell/sessionHint';
import { type Column, DataTable } from '../../ui/DataTable';
import { notifyDone, notifyFailed } from '../../ui/notify';
import { Panel } from '../../ui/Panel';
import { QueryState } from '../../ui/States';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';

type Item = Schemas['SessionItem'];

export const SESSIONS = ['sessions'];

const sessionsQuery = queryOptions({
  queryKey: SESSIONS,
  queryFn: async () => {
    const { sessions } = await data(api.GET('/api/account/sessions'));
    // This browser first, then the newest: what somebody looks for.
    return sessions.sort(
      (one, other) => Number(other.current) - Number(one.current) || other.id - one.id,
    );
  },
});

/** Where the user is logged in, and the way to end it. */
export function SessionsPanel() {
  const sessions = useQuery(sessionsQuery);
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: ({ id }: Item) =>
      api.DELETE('/api/account/sessions/{id}', { params: { path: { id: String(id) } } }),
    onSuccess: async (_, { current }) => {
      if (current) {
        leave();
        return;
      }
      notifyDone('The session was ended.');
      await queries.invalidateQueries({ queryKey: SESSIONS });
    },
    onError: (error) => notifyFailed('The session could not be ended.', error),
  });
  const columns: Column<Item>[] = [
    { key: 'begun', title: 'Logged in', cell: ({ created_at }) => <Time value={created_at} /> },
    { key: 'seen', title: 'Last seen', cell: ({ last_seen_at }) => <Time value={last_seen_at} /> },
    { key: 'ip', title: 'From', cell: ({ ip }) => (ip === '' ? 'unknown' : ip) },
    {
      key: 'current',
      title: 'Status',
      cell: ({ current }) =>
        current ? <StatusBadge tone="ok">this browser</StatusBadge> : 'logged in',
    },
    {
      key: 'end',
      title: 'Actions',
      cell: (item) => (
        <Button
          size="compact-sm"
          variant="default"
          loading={end.isPending && end.variables.id === item.id}
          onClick={() => end.mutate(item)}
        >
          {item.current ? 'Log out' : 'End session'}
        </Button>
      ),
    },
  ];
  return (
    <Panel title="Sessions" flush>
      <QueryState query={sessions} what="The sessions could not be loaded.">
        {(found) => (
          <DataTable label="Your sessions" columns={columns} rows={found} rowKey={({ id }) => id} />
        )}
      </QueryState>
    </Panel>
  );
}
