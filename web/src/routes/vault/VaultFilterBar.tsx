import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatName } from '../../core/inspection';
import type { Format } from '../../core/model';
import { ChosenFilter, DayFilter, TypedFilter } from '../../ui/FilterFields';
import { Icon } from '../../ui/Icon';
import { mapsQuery } from '../maps/queries';
import type { VaultFilters } from './queries';
import classes from './Vault.module.css';

interface Props {
  filters: VaultFilters;
  onChange: (change: VaultFilters) => void;
  onClear: () => void;
}

const FORMATS: readonly Format[] = ['x12', 'json', 'xml', 'csv'];

/** What the list is narrowed by; all of it stands in the address. */
export function VaultFilterBar({ filters, onChange, onClear }: Props) {
  const maps = useQuery(mapsQuery);
  const isFiltered = Object.entries(filters).some(
    ([name, value]) => name !== 'offset' && value !== undefined,
  );
  return (
    <search className={classes.filters}>
      <TypedFilter
        label="Id or file name"
        value={filters.q}
        onChange={(q) => onChange({ q })}
        className={classes.wide}
        maxLength={200}
        search
      />
      <ChosenFilter
        className={classes.narrow}
        label="Format"
        value={filters.fmt}
        among={FORMATS.map((value) => ({ value, label: formatName(value) }))}
        onChange={(value) => onChange({ fmt: FORMATS.find((each) => each === value) })}
      />
      <ChosenFilter
        className={classes.narrow}
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
        className={classes.narrow}
        maxLength={6}
      />
      <ChosenFilter
        className={classes.narrow}
        label="Map"
        value={filters.map_id === undefined ? undefined : String(filters.map_id)}
        among={(maps.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(value) => onChange({ map_id: value === undefined ? undefined : Number(value) })}
      />
      <DayFilter
        label="Stored from"
        value={filters.date_from}
        onChange={(date_from) => onChange({ date_from })}
      />
      <DayFilter
        label="Stored to"
        value={filters.date_to}
        onChange={(date_to) => onChange({ date_to })}
      />
      {isFiltered && (
        <Button variant="default" onClick={onClear} leftSection={<Icon name="close" size={14} />}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
