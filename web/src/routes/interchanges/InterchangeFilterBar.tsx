import { INTERCHANGE_STATUSES } from '../../core/interchangeWords';
import { keysOf } from '../../core/statusWords';
import { FilterBar, WIDTHS } from '../../ui/FilterBar';
import { ChosenFilter, PeriodFilter } from '../../ui/FilterFields';
import { PartnerFilter } from '../PartnerFilter';
import type { InterchangeFilters } from './queries';

interface Props {
  filters: InterchangeFilters;
  onChange: (change: InterchangeFilters) => void;
  onClear: () => void;
}

const DIRECTIONS = [
  { value: 'inbound', label: 'Inbound' },
  { value: 'outbound', label: 'Outbound' },
] as const;

/** What the list is narrowed by; all of it stands in the address. */
export function InterchangeFilterBar({ filters, onChange, onClear }: Props) {
  return (
    <FilterBar filters={filters} onClear={onClear}>
      <ChosenFilter
        label="Status"
        className={WIDTHS.medium}
        value={filters.status}
        among={keysOf(INTERCHANGE_STATUSES).map((value) => ({
          value,
          label: INTERCHANGE_STATUSES[value].word,
        }))}
        onChange={(status) => onChange({ status })}
      />
      <PartnerFilter
        className={WIDTHS.wide}
        value={filters.partner_id}
        onChange={(partner_id) => onChange({ partner_id })}
      />
      <ChosenFilter
        label="Direction"
        className={WIDTHS.medium}
        value={filters.direction}
        among={[...DIRECTIONS]}
        onChange={(value) =>
          onChange({ direction: DIRECTIONS.find((each) => each.value === value)?.value })
        }
      />
      <PeriodFilter value={filters} onChange={onChange} />
    </FilterBar>
  );
}
