import { SETS } from '../../core/address';
import { ACK_STATUSES } from '../../core/statusWords';
import { FilterBar, WIDTHS } from '../../ui/FilterBar';
import { ChosenFilter, PeriodFilter, TypedFilter } from '../../ui/FilterFields';
import { PartnerFilter } from '../PartnerFilter';
import type { AckFilters } from './queries';
import { ERROR, RESULTS, TYPES } from './search';

interface Props {
  filters: AckFilters;
  /** Only an outstanding acknowledgement is overdue; only a received one has a result. */
  isOutstanding: boolean;
  onChange: (change: AckFilters) => void;
  onClear: () => void;
}

/** What a tab is narrowed by; all of it stands in the address. */
export function AckFilterBar({ filters, isOutstanding, onChange, onClear }: Props) {
  return (
    <FilterBar filters={filters} onClear={onClear}>
      <PartnerFilter
        className={WIDTHS.wide}
        value={filters.partner_id}
        onChange={(partner_id) => onChange({ partner_id })}
      />
      <TypedFilter
        label="Set"
        value={filters.tx_set}
        onChange={(tx_set) => onChange({ tx_set })}
        className={WIDTHS.narrow}
        maxLength={60}
        form={SETS}
      />
      {isOutstanding ? (
        <ChosenFilter
          label="Due"
          className={WIDTHS.medium}
          value={filters.overdue && 'true'}
          among={[{ value: 'true', label: 'Overdue' }]}
          onChange={(value) => onChange({ overdue: value === undefined ? undefined : true })}
        />
      ) : (
        <>
          <ChosenFilter
            label="Result"
            className={WIDTHS.medium}
            value={filters.result}
            among={RESULTS.map((value) => ({ value, label: ACK_STATUSES[value].word }))}
            onChange={(result) => onChange({ result })}
          />
          <ChosenFilter
            label="Kind"
            className={WIDTHS.medium}
            value={filters.ack_type}
            among={TYPES.map((value) => ({ value, label: value }))}
            onChange={(ack_type) => onChange({ ack_type })}
          />
          <TypedFilter
            label="Code and position"
            value={filters.error}
            onChange={(error) => onChange({ error })}
            className={WIDTHS.medium}
            maxLength={14}
            form={ERROR}
          />
          <ChosenFilter
            label="Corrected or reissued"
            className={WIDTHS.medium}
            value={filters.open && 'true'}
            among={[{ value: 'true', label: 'Not yet' }]}
            onChange={(value) => onChange({ open: value === undefined ? undefined : true })}
          />
        </>
      )}
      <PeriodFilter of={isOutstanding ? 'Sent' : ''} value={filters} onChange={onChange} />
    </FilterBar>
  );
}
