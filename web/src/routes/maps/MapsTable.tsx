import { formatName } from '../../core/inspection';
import { counted } from '../../core/treeWords';
import { type Column, DataTable } from '../../ui/DataTable';
import { StatusBadge } from '../../ui/StatusBadge';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { MapActions } from './MapActions';
import type { SavedMap } from './queries';

const COLUMNS: Column<SavedMap>[] = [
  {
    key: 'name',
    title: 'Name',
    lead: true,
    cell: ({ id, name }) => (
      <TextLink to="/app/maps/$mapId" params={{ mapId: String(id) }}>
        <VisibleText text={name} />
      </TextLink>
    ),
  },
  {
    key: 'formats',
    title: 'Source → target',
    cell: ({ source_fmt, target_fmt }) => `${formatName(source_fmt)} → ${formatName(target_fmt)}`,
  },
  { key: 'tx_set', title: 'Set', cell: ({ tx_set }) => tx_set || '–' },
  { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => `v${version}` },
  { key: 'rules', title: 'Rules', numeric: true, cell: ({ rule_count }) => rule_count },
  { key: 'updated', title: 'Saved', cell: ({ updated_at_iso }) => <Time value={updated_at_iso} /> },
  {
    key: 'last_run',
    title: 'Last stored run',
    cell: ({ last_run_at }) => <Time value={last_run_at} none="none" />,
  },
  { key: 'issues', title: 'Issues', cell: ({ issue_count }) => <Issues count={issue_count} /> },
  {
    key: 'locked',
    title: 'State',
    cell: ({ locked }) =>
      locked ? (
        <StatusBadge tone="plain" icon="lock">
          Locked
        </StatusBadge>
      ) : (
        'open'
      ),
  },
];

const ACTIONS: Column<SavedMap> = {
  key: 'actions',
  title: 'Actions',
  cell: (map) => <MapActions map={map} />,
};

interface Props {
  maps: SavedMap[];
  mayChange: boolean;
}

/** Saved maps as a table; each leads to the mapper. */
export function MapsTable({ maps, mayChange }: Props) {
  return (
    <DataTable
      label="Saved maps"
      columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
      rows={maps}
      rowKey={(row) => row.id}
    />
  );
}

function Issues({ count }: { count: number | null }) {
  // The server keeps no results of tests over a restart.
  if (count === null) return 'unknown';
  if (count === 0) return 'none';
  return <StatusBadge tone="warn">{counted(count, 'failing test')}</StatusBadge>;
}
