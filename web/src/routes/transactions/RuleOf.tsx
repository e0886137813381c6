import { useQuery } from '@tanstack/react-query';
import { mapQuery } from '../../mapper/server';
import { TextLink } from '../../ui/TextLink';
import { VisibleText } from '../../ui/VisibleText';
import { madeByQuery } from './detail';

interface Props {
  /** Of the document that a map has made. */
  docId: number;
  /** As the acknowledgement names it: `field_map[12]`. */
  rule: string;
}

const RULE = /^field_map\[([0-9]+)\]$/;

/** The rule of the map that wrote a value, and the way to it in the mapper. */
export function RuleOf({ docId, rule }: Props) {
  const made = useQuery(madeByQuery(docId));
  const index = RULE.exec(rule)?.[1];
  if (made.isError) return <p>The map that produced it no longer exists.</p>;
  if (made.data === undefined || index === undefined) return null;
  const { mapId, version } = made.data;
  if (mapId === null) return null;
  return <RuleLink mapId={mapId} version={version} index={Number(index)} />;
}

interface LinkProps {
  mapId: number;
  version: number | null;
  index: number;
}

function RuleLink({ mapId, version, index }: LinkProps) {
  const map = useQuery(mapQuery(String(mapId), version ?? undefined));
  const number = `Set by rule ${index + 1}`;
  if (map.isError) return <p>{number} of a deleted map.</p>;
  if (map.data === undefined) return null;
  const rule = new Map<string, unknown>(Object.entries(map.data.field_map[index] ?? {}));
  const target = rule.get('tgt');
  return (
    <p>
      {number} of <VisibleText text={`“${map.data.name}”`} />
      {version !== null && `, version ${version}`}. <VisibleText text={readsWords(rule)} />{' '}
      <TextLink
        to="/app/maps/$mapId"
        params={{ mapId: String(mapId) }}
        search={typeof target === 'string' ? { row: target } : {}}
      >
        Open rule {index + 1}
      </TextLink>
    </p>
  );
}

/** Where a rule has its value from, in a few words. */
function readsWords(rule: ReadonlyMap<string, unknown>): string {
  const [constant, source] = [rule.get('const'), rule.get('src')];
  if (typeof constant === 'string') return `It always writes ${constant}.`;
  return typeof source === 'string' ? `It reads ${source}.` : '';
}
