import { formatName } from '../../core/inspection';
import { sizeInWords } from '../../core/textFile';
import { CopyButton } from '../../ui/CopyButton';
import { Fact, Facts } from '../../ui/Facts';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { DirectionLabel } from '../transactions/TransactionTable';
import type { StoredDetail } from './queries';
import { MapLink } from './VaultTable';

/** What is known of a stored document besides its content. */
export function StoredFacts({ stored }: { stored: StoredDetail }) {
  const { id, fmt, transaction_set: set, direction, map_id, source_doc_id } = stored;
  return (
    <Facts>
      <Fact name="Id">{id}</Fact>
      <Fact name="Format">{formatName(fmt)}</Fact>
      {set !== '' && <Fact name="Set">{set}</Fact>}
      <Fact name="Direction">
        <DirectionLabel direction={direction} />
      </Fact>
      <Fact name="Environment">{stored.environment}</Fact>
      <Fact name="Size">{sizeInWords(stored.file_size)}</Fact>
      <Fact name="Stored">
        <Time value={stored.created_at} />
      </Fact>
      {map_id !== null && (
        <Fact name="Map">
          <MapLink id={map_id} version={stored.map_version} />
        </Fact>
      )}
      {source_doc_id !== null && (
        <Fact name="Made from">
          <TextLink to="/app/vault/$docId" params={{ docId: String(source_doc_id) }}>
            document {source_doc_id}
          </TextLink>
        </Fact>
      )}
      <Fact name="SHA-256">
        <code>{stored.sha256}</code> <CopyButton text={stored.sha256} what="hash" />
      </Fact>
    </Facts>
  );
}
