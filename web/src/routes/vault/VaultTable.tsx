import { useQuery } from '@tanstack/react-query';
import { formatName } from '../../core/inspection';
import { sizeInWords } from '../../core/textFile';
import { type Column, DataTable } from '../../ui/DataTable';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { mapsQuery } from '../maps/queries';
import { DirectionLabel } from '../transactions/TransactionTable';
import type { StoredDocument } from './queries';

const COLUMNS: Column<StoredDocument>[] = [
  {
    key: 'filename',
    title: 'File',
    lead: true,
    cell: ({ id, filename }) => (
      <TextLink to="/app/vault/$docId" params={{ docId: String(id) }}>
        <VisibleText text={filename} />
      </TextLink>
    ),
  },
  { key: 'id', title: 'Id', numeric: true, cell: ({ id }) => id },
  { key: 'fmt', title: 'Format', cell: ({ fmt }) => formatName(fmt) },
  { key: 'transaction_set', title: 'Set', cell: ({ transaction_set }) => transaction_set || '–' },
  {
    key: 'direction',
    title: 'Direction',
    cell: ({ direction }) => <DirectionLabel direction={direction} />,
  },
  { key: 'size', title: 'Size', numeric: true, cell: ({ file_size }) => sizeInWords(file_size) },
  {
    key: 'map',
    title: 'Map',
    cell: ({ map_id, map_version }) =>
      map_id === null ? '–' : <MapLink id={map_id} version={map_version} />,
  },
  { key: 'created_at', title: 'Stored', cell: ({ created_at }) => <Time value={created_at} /> },
];

/** Stored documents as a table; each leads to its page. */
export function VaultTable({ documents }: { documents: StoredDocument[] }) {
  return (
    <DataTable
      label="Stored documents"
      columns={COLUMNS}
      rows={documents}
      rowKey={(row) => row.id}
    />
  );
}

/** The map that made a document; it may have been removed since. */
export function MapLink({ id, version }: { id: number; version: number | null }) {
  const maps = useQuery(mapsQuery);
  const name = maps.data?.find((map) => map.id === id)?.name;
  const suffix = version === null ? '' : ` v${version}`;
  if (maps.isSuccess && name === undefined) return <>{`map ${id}${suffix}, removed`}</>;
  return (
    <TextLink to="/app/maps/$mapId" params={{ mapId: String(id) }}>
      <VisibleText text={`${name ?? `map ${id}`}${suffix}`} />
    </TextLink>
  );
}
