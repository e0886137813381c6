import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { context } from '../../api/context';
import { visibleText } from '../../core/visible';
import { partnersDirectory } from '../PartnerFilter';
import type { Interchange } from './queries';

interface Props {
  of: readonly Interchange[];
  value: number | undefined;
  onChange: (id: number | undefined) => void;
  fault: string;
}

/** For whose partner interchanges are released. */
export function PartnerChoice({ of, value, onChange, fault }: Props) {
  const partners = useQuery(partnersDirectory);
  const isSandbox = context.environment() === 'sandbox';
  // In the sandbox partners in testing take documents, and no others.
  const among = (partners.data ?? []).filter(
    ({ partner_status }) => !isSandbox || partner_status === 'testing',
  );
  return (
    <NativeSelect
      label="Partner"
      description={isSandbox ? 'The sandbox shows partners in testing.' : null}
      value={value === undefined ? '' : String(value)}
      error={fault}
      data={[
        {
          value: '',
          label: unchosen(of, (id) => partners.data?.find((each) => each.id === id)?.name),
        },
        ...among.map(({ id, name, edi_identity }) => ({
          value: String(id),
          label: visibleText(edi_identity === '' ? name : `${name}, ${edi_identity}`),
        })),
      ]}
      onChange={(event) => onChange(Number(event.currentTarget.value) || undefined)}
    />
  );
}

/** What it means that none is chosen. */
function unchosen(
  of: readonly Interchange[],
  nameOf: (id: number | null) => string | undefined,
): string {
  const ids = new Set(of.map(({ partner_id }) => partner_id));
  if (ids.has(null)) return 'Choose the partner';
  if (ids.size > 1) return 'Each for the partner it came from';
  const [id = null] = ids;
  return `As it came: ${visibleText(nameOf(id) ?? `partner ${id}`)}`;
}
