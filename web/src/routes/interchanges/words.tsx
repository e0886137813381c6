import { useQuery } from '@tanstack/react-query';
import { INTERCHANGE_STATUSES, type InterchangeStatus } from '../../core/interchangeWords';
import { StatusBadge } from '../../ui/StatusBadge';
import { TextLink } from '../../ui/TextLink';
import { VisibleText } from '../../ui/VisibleText';
import { partnersDirectory } from '../PartnerFilter';

export function InterchangeBadge({ status }: { status: InterchangeStatus }) {
  const { word, tone, about } = INTERCHANGE_STATUSES[status];
  return (
    <span title={about}>
      <StatusBadge tone={tone}>{word}</StatusBadge>
    </span>
  );
}

/** Whose an interchange is, if that is known. */
export function InterchangePartner({ id }: { id: number | null }) {
  const partners = useQuery(partnersDirectory);
  if (id === null) return 'unknown';
  const name = partners.data?.find((partner) => partner.id === id)?.name;
  return (
    <TextLink to="/app/partners/$partnerId" params={{ partnerId: String(id) }}>
      <VisibleText text={name ?? `partner ${id}`} />
    </TextLink>
  );
}

/** `ZZ/ACMECORP`, or a word where the ISA could not be read. */
export function partyOf(qualifier: string, id: string): string {
  return id === '' ? 'unreadable' : `${qualifier}/${id}`;
}
