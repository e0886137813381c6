import { actionChoices } from '../../core/auditWords';
import { visibleText } from '../../core/visible';
import { FilterBar, WIDTHS } from '../../ui/FilterBar';
import { ChosenFilter, PeriodFilter, TypedFilter } from '../../ui/FilterFields';
import type { AuditFilters } from './queries';

interface Props {
  filters: AuditFilters;
  /** Of users and keys, by `user 5` and `key 3`. */
  names: ReadonlyMap<string, string>;
  onChange: (change: AuditFilters) => void;
  onClear: () => void;
}

const OTHERS = [
  { value: 'worker', label: 'Longshore' },
  { value: 'operator', label: 'The operator' },
];

/** What the log is narrowed by; all of it stands in the address. */
export function AuditFilterBar({ filters, names, onChange, onClear }: Props) {
  const people = [...names].map(([value, label]) => ({ value, label: visibleText(label) }));
  return (
    <FilterBar filters={filters} onClear={onClear}>
      <ChosenFilter
        label="Action"
        className={WIDTHS.wide}
        value={filters.action}
        among={actionChoices()}
        onChange={(action) => onChange({ action })}
      />
      <ChosenFilter
        label="By whom"
        className={WIDTHS.wide}
        value={filters.actor}
        among={[...people, ...OTHERS]}
        onChange={(actor) => onChange({ actor })}
      />
      <TypedFilter
        label="Object, for example transaction 7"
        className={WIDTHS.wide}
        value={filters.object}
        maxLength={200}
        onChange={(object) => onChange({ object })}
      />
      <PeriodFilter value={filters} onChange={onChange} />
    </FilterBar>
  );
}
