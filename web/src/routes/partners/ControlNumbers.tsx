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
  { key: 'kind', title: 'Numbers of', lead: true, cell: ({ kind }) => KINDS[kind] },
  {
    key: 'environment',
    title: 'Environment',
    lead: true,
    cell: ({ environment }) => ENVIRONMENTS[environment],
  },
  {
    key: 'last',
    title: 'Last given',
    numeric: true,
    cell: ({ last }) => last?.toLocaleString('en') ?? 'none',
  },
  { key: 'range', title: 'Range', numeric: true, cell: range },
  { key: 'left', title: 'Left', numeric: true, cell: ({ left }) => leftWords(left) },
  { key: 'days', title: 'Enough for', cell: ({ days_left }) => lastingWords(days_left) },
];

function range({ min, max }: Counter): string {
  return `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
}

const GAPS: Column<Missing>[] = [
  { key: 'kind', title: 'Numbers of', lead: true, cell: ({ kind }) => KINDS[kind] },
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
                No number was given yet: a counter begins with the first document sent.
              </EmptyState>
            ) : (
              <DataTable
                label="Control numbers sent"
                columns={COUNTERS}
                rows={counters}
                rowKey={({ kind, environment }) => `${kind} ${environment}`}
              />
            )}
            {missing.length > 0 && (
              <>
                <Text p="md">Passed over in what was received:</Text>
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
