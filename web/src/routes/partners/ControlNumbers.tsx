import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { lastingWords, leftWords } from '../../core/counterWords';
import { type Column, DataTable } from '../../ui/DataTable';
import { Panel } from '../../ui/Panel';
import { EmptyState, QueryState } from '../../ui/States';
import { Time } from '../../ui/Time';
import { controlNumbersQuery, type Partner } from './queries';

type Counter = Schemas['CounterItem'];
type Missing = Schemas['MissingItem'];

const KINDS: Record<Counter['kind'], string> = {
  isa: 'Interchanges (ISA13)',
  gs: 'Groups (GS06)',
  st: 'Sets (ST02)',
};
const ENVIRONMENTS = { sandbox: 'Sandbox', production: 'Production' };

const COUNTERS: Column<Counter>[] = [
  { key: 'kind', title: 'Control numbers of', lead: true, cell: ({ kind }) => KINDS[kind] },
  {
    key: 'environment',
    title: 'Environment',
    lead: true,
    cell: ({ environment }) => ENVIRONMENTS[environment],
  },
  {
    key: 'last',
    title: 'Last used',
    numeric: true,
    cell: ({ last }) => last?.toLocaleString('en') ?? 'none',
  },
  { key: 'range', title: 'Range', numeric: true, cell: range },
  { key: 'left', title: 'Left', numeric: true, cell: ({ left }) => leftWords(left) },
  { key: 'days', title: 'Lasts for', cell: ({ days_left }) => lastingWords(days_left) },
];

function range({ min, max }: Counter): string {
  return `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
}

const GAPS: Column<Missing>[] = [
  { key: 'kind', title: 'Control numbers of', lead: true, cell: ({ kind }) => KINDS[kind] },
  {
    key: 'environment',
    title: 'Environment',
    lead: true,
    cell: ({ environment }) => ENVIRONMENTS[environment],
  },
  {
    key: 'numbers',
    title: 'Missing',
    cell: ({ from, to }) => (from === to ? String(from) : `${from} to ${to}`),
  },
  { key: 'since', title: 'Since', cell: ({ since }) => <Time value={since} /> },
];

/** Where the numbers of what is sent stand, and what is missing in what was received. */
export function ControlNumbers({ partner }: { partner: Partner }) {
  const numbers = useQuery(controlNumbersQuery(partner.id));
  return (
    <Panel title="Control numbers" flush>
      <QueryState query={numbers} what="The control numbers could not be loaded.">
        {({ counters, missing }) => (
          <>
            {counters.length === 0 ? (
              <EmptyState>
                No control number has been used yet: a counter starts with the first sent document.
              </EmptyState>
            ) : (
              <DataTable
                label="Sent control numbers"
                columns={COUNTERS}
                rows={counters}
                rowKey={({ kind, environment }) => `${kind} ${environment}`}
              />
            )}
            {missing.length > 0 && (
              <>
                <Text p="md">Missing in received documents:</Text>
                <DataTable
                  label="Missing control numbers"
                  columns={GAPS}
                  rows={missing}
                  rowKey={({ kind, environment, from }) => `${kind} ${environment} ${from}`}
                />
              </>
            )}
          </>
        )}
      </QueryState>
    </Panel>
  );
}
