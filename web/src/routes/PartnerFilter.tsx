import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, data } from '../api/client';
import { visibleText } from '../core/visible';
import { ChosenFilter } from '../ui/FilterFields';

/** All partners, for choices by name. */
export const partnersDirectory = queryOptions({
  queryKey: ['partners', 'directory'],
  queryFn: async ({ signal }) => (await data(api.GET('/api/partners', { signal }))).partners,
  staleTime: 60_000,
});

interface Props {
  /** Id of the partner, as the address has it. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  className?: string | undefined;
}

/** Narrows a list to one partner, who is chosen by name. */
export function PartnerFilter({ value, onChange, className }: Props) {
  const partners = useQuery(partnersDirectory);
  return (
    <ChosenFilter
      label="Partner"
      value={value}
      className={className}
      among={(partners.data ?? []).map(({ id, name }) => ({
        value: String(id),
        label: visibleText(name),
      }))}
      onChange={onChange}
    />
  );
}
