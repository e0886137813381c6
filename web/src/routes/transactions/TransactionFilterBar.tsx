import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ACK_STATUSES,
  DELIVERY_STATUSES,
  PROCESSING_STATUSES,
  TRANSACTION_STATUSES,
  VALIDATION_STATUSES,
} from '../../core/statusWords';
import { FilterBar, WIDTHS } from '../../ui/FilterBar';
import { ChosenFilter, PeriodFilter, TypedFilter } from '../../ui/FilterFields';
import { ManyFilter } from '../../ui/ManyFilter';
import { givenFilters, partnerNamesQuery, type TransactionFilters } from './queries';

interface Props {
  filters: TransactionFilters;
  onChange: (change: TransactionFilters) => void;
  onClear: () => void;
}

const MORE = [
  'processing_status',
  'validation_status',
  'delivery_status',
  'ack_status',
  'control_number',
  'business_key',
  'open',
] as const;

/** What the list is narrowed by; all of it stands in the address. */
export function TransactionFilterBar({ filters, onChange, onClear }: Props) {
  const hasMore = MORE.some((name) => filters[name] !== undefined);
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || hasMore;
  return (
    <FilterBar filters={givenFilters(filters)} onClear={onClear}>
      <TypedFilter
        label="Id, number or partner"
        value={filters.q}
        onChange={(q) => onChange({ q })}
        className={WIDTHS.wide}
        maxLength={200}
        search
      />
      <CommonFilters filters={filters} onChange={onChange} />
      {isShown && <MoreFilters filters={filters} onChange={onChange} />}
      {!hasMore && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer filters' : 'More filters'}
        </Button>
      )}
    </FilterBar>
  );
}

type Some = Omit<Props, 'onClear'>;

function CommonFilters({ filters, onChange }: Some) {
  const partners = useQuery(partnerNamesQuery);
  return (
    <>
      <ManyFilter
        className={WIDTHS.medium}
        label="Status"
        value={filters.status}
        among={TRANSACTION_STATUSES}
        onChange={(status) => onChange({ status })}
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
      <ChosenFilter
        className={WIDTHS.medium}
        label="Partner"
        value={filters.partner_id}
        among={partners.data ?? []}
        onChange={(partner_id) => onChange({ partner_id })}
      />
      <TypedFilter
        label="Set"
        value={filters.tx_set}
        onChange={(typed) => onChange({ tx_set: setsIn(typed) })}
        className={WIDTHS.narrow}
        maxLength={100}
      />
      <PeriodFilter of="Created" value={filters} onChange={onChange} />
    </>
  );
}

/** What is typed as sets, such as `850, 810`; what is no set yet, such as a last comma, is left out. */
function setsIn(typed = ''): string | undefined {
  const sets = typed.split(/[^0-9A-Za-z]+/).filter((set) => set !== '');
  return sets.join(',') || undefined;
}

function MoreFilters({ filters, onChange }: Some) {
  return (
    <>
      <ManyFilter
        className={WIDTHS.medium}
        label="Acknowledgement"
        value={filters.ack_status}
        among={ACK_STATUSES}
        onChange={(ack_status) => onChange({ ack_status })}
      />
      <ManyFilter
        className={WIDTHS.medium}
        label="Delivery"
        value={filters.delivery_status}
        among={DELIVERY_STATUSES}
        onChange={(delivery_status) => onChange({ delivery_status })}
      />
      <ManyFilter
        className={WIDTHS.medium}
        label="Processing"
        value={filters.processing_status}
        among={PROCESSING_STATUSES}
        onChange={(processing_status) => onChange({ processing_status })}
      />
      <ManyFilter
        className={WIDTHS.medium}
        label="Validation"
        value={filters.validation_status}
        among={VALIDATION_STATUSES}
        onChange={(validation_status) => onChange({ validation_status })}
      />
      <TypedFilter
        label="Control number"
        value={filters.control_number}
        onChange={(control_number) => onChange({ control_number })}
        className={WIDTHS.medium}
        maxLength={200}
      />
      <TypedFilter
        label="Business key"
        value={filters.business_key}
        onChange={(business_key) => onChange({ business_key })}
        className={WIDTHS.medium}
        maxLength={200}
      />
      <ChosenFilter
        className={WIDTHS.medium}
        label="Corrected or reissued"
        value={filters.open && 'true'}
        among={[{ value: 'true', label: 'Not yet' }]}
        onChange={(value) => onChange({ open: value === undefined ? undefined : true })}
      />
    </>
  );
}
