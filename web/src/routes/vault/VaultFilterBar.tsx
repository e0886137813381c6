import { useQuery } from '@tanstack/react-query';
import { FORMATS, formatName } from '../../core/inspection';
import { FilterBar, WIDTHS } from '../../ui/FilterBar';
import { ChosenFilter, PeriodFilter, TypedFilter } from '../../ui/FilterFields';
import { mapsQuery } from '../maps/queries';
import type { VaultFilters } from './queries';
import { SET } from './search';

interface Props {
  filters: VaultFilters;
  onChange: (change: VaultFilters) => void;
  onClear: () => void;
}

/** What the list is narrowed by; all of it stands in the address. */
export function VaultFilterBar({ filters, onChange, onClear }: Props) {
  const maps = useQuery(mapsQuery);
  return (
    <FilterBar filters={filters} onClear={onClear}>
      <TypedFilter
        label="Id or file name"
        value={filters.q}
        onChange={(q) => onChange({ q })}
        className={WIDTHS.wide}
        maxLength={200}
        search
      />
      <ChosenFilter
        className={WIDTHS.medium}
        label="Format"
        value={filters.fmt}
        among={FORMATS.map((value) => ({ value, label: formatName(value) }))}
        onChange={(value) => onChange({ fmt: FORMATS.find((each) => each === value) })}
      />
      <ChosenFilter
        className={WIDTHS.medium}
        label="Direction"
        value={filters.direction}
        among={[
          { value: 'inbound', label: 'Inbound' },
          { value: 'outbound', label: 'Outbound' },
        ]}
        onChange={(value) =>
          onChange({ direction: value === 'inbound' || value === 'outbound' ? value : undefined })
        }
      />
      <TypedFilter
        label="Set"
        value={filters.transaction_set}
        onChange={(transaction_set) => onChange({ transaction_set })}
        className={WIDTHS.medium}
        maxLength={6}
        form={SET}
      />
      <ChosenFilter
        className={WIDTHS.medium}
        label="Map"
        value={filters.map_id === undefined ? undefined : String(filters.map_id)}
        among={(maps.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(value) => onChange({ map_id: value === undefined ? undefined : Number(value) })}
      />
      <PeriodFilter of="Stored" value={filters} onChange={onChange} />
    </FilterBar>
  );
}
