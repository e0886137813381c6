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
import { ChosenFilter, DayFilter, TypedFilter } from '../../ui/FilterFields';
import { Icon } from '../../ui/Icon';
import { ManyFilter } from '../../ui/ManyFilter';
import { givenFilters, partnerNamesQuery, type TransactionFilters } from './queries';
import classes from './Transactions.module.css';

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
] as const;

/** What the list is narrowed by; all of it stands in the address. */
export function TransactionFilterBar({ filters, onChange, onClear }: Props) {
  const hasMore = MORE.some((name) => filters[name] !== undefined);
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || hasMore;
  return (
    <search className={classes.filters}>
      <TypedFilter
        label="Id, number or partner"
        value={filters.q}
        onChange={(q) => onChange({ q })}
        className={classes.wide}
        maxLength={200}
        search
      />
      <UsualFilters filters={filters} onChange={onChange} />
      {isShown && <MoreFilters filters={filters} onChange={onChange} />}
      {!hasMore && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer filters' : 'More filters'}
        </Button>
      )}
      {Object.keys(givenFilters(filters)).length > 0 && (
        <Button variant="default" onClick={onClear} leftSection={<Icon name="close" size={14} />}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

type Some = Omit<Props, 'onClear'>;

function UsualFilters({ filters, onChange }: Some) {
  const partners = useQuery(partnerNamesQuery);
  return (
    <>
      <ManyFilter
        className={classes.middle}
        label="Status"
        value={filters.status}
        among={TRANSACTION_STATUSES}
        onChange={(status) => onChange({ status })}
      />
      <ChosenFilter
        className={classes.narrow}
        label="Direction"
        value={filters.direction}
        among={[
          { value: 'inbound', label: 'Received' },
          { value: 'outbound', label: 'Sent' },
        ]}
        onChange={(value) =>
          onChange({ direction: value === 'inbound' || value === 'outbound' ? value : undefined })
        }
      />
      <ChosenFilter
        className={classes.middle}
        label="Partner"
        value={filters.partner_id}
        among={partners.data ?? []}
        onChange={(partner_id) => onChange({ partner_id })}
      />
      <TypedFilter
        label="Set"
        value={filters.tx_set}
        onChange={(tx_set) => onChange({ tx_set })}
        className={classes.narrow}
        maxLength={100}
      />
      <DayFilter
        label="Created from"
        value={filters.date_from}
        onChange={(date_from) => onChange({ date_from })}
      />
      <DayFilter
        label="Created to"
        value={filters.date_to}
        onChange={(date_to) => onChange({ date_to })}
      />
    </>
  );
}

function MoreFilters({ filters, onChange }: Some) {
  return (
    <>
      <ManyFilter
        className={classes.middle}
        label="Acknowledgement"
        value={filters.ack_status}
        among={ACK_STATUSES}
        onChange={(ack_status) => onChange({ ack_status })}
      />
      <ManyFilter
        className={classes.middle}
        label="Delivery"
        value={filters.delivery_status}
        among={DELIVERY_STATUSES}
        onChange={(delivery_status) => onChange({ delivery_status })}
      />
      <ManyFilter
        className={classes.middle}
        label="Processing"
        value={filters.processing_status}
        among={PROCESSING_STATUSES}
        onChange={(processing_status) => onChange({ processing_status })}
      />
      <ManyFilter
        className={classes.middle}
        label="Validation"
        value={filters.validation_status}
        among={VALIDATION_STATUSES}
        onChange={(validation_status) => onChange({ validation_status })}
      />
      <TypedFilter
        label="Control number"
        value={filters.control_number}
        onChange={(control_number) => onChange({ control_number })}
        className={classes.middle}
        maxLength={200}
      />
      <TypedFilter
        label="Business key"
        value={filters.business_key}
        onChange={(business_key) => onChange({ business_key })}
        className={classes.middle}
        maxLength={200}
      />
    </>
  );
}
