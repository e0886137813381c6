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
  { key: 'issues', title: 'Issues', cell: (map) => <Issues count={issuesOf(map)} /> },
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
  const columns = COLUMNS.filter(({ key }) => key !== 'issues' || maps.some(hasIssues));
  return (
    <DataTable
      label="Saved maps"
      columns={mayChange ? [...columns, ACTIONS] : columns}
      rows={maps}
      rowKey={(row) => row.id}
    />
  );
}

function hasIssues(map: SavedMap): boolean {
  return issuesOf(map) !== null;
}

function issuesOf(map: SavedMap & { issue_count?: number | null }): number | null {
  return map.issue_count ?? null;
}

function Issues({ count }: { count: number | null }) {
  if (count === null || count === 0) return 'none';
  return <StatusBadge tone="warn">{counted(count, 'issue')}</StatusBadge>;
}
