import { NativeSelect, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { isBackwards, type Period } from '../core/period';
import classes from './FilterBar.module.css';
import { Icon } from './Icon';

interface FilterProps {
  label: string;
  /** As the address has it; undefined: not narrowed. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  className?: string | undefined;
}

interface TypedProps extends FilterProps {
  maxLength: number;
  search?: boolean;
  /** What the whole text has to be like to narrow anything, and that in words. */
  form?: Form;
}

interface Form {
  fits: RegExp;
  hint: string;
}

const TYPING_MS = 300;

/** Narrows a list by what is typed, a moment after the last key. */
export function TypedFilter(props: TypedProps) {
  const { label, value = '', onChange, className = '', maxLength, search = false, form } = props;
  const [typed, setTyped] = useState(value);
  const [refused, setRefused] = useState('');
  const change = useDebouncedCallback((text: string) => {
    const fits = fitsForm(text, form);
    setRefused(fits ? '' : text);
    onChange(fits && text !== '' ? text : undefined);
  }, TYPING_MS);
  // The address may change without the field, by Back or "Clear filters". What does not fit has
  // never stood there, and stays to be corrected.
  useEffect(() => {
    setTyped((now) => (value === '' && !fitsForm(now, form) ? now : value));
  }, [value, form]);
  return (
    <TextInput
      type={search ? 'search' : 'text'}
      label={label}
      value={typed}
      className={className}
      maxLength={maxLength}
      error={refused !== '' && typed === refused && form?.hint}
      leftSection={search ? <Icon name="search" size={14} /> : null}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        change(event.currentTarget.value);
      }}
      // Before a link is followed: a moment later it would call the reader back to the list.
      onBlur={() => change.flush()}
    />
  );
}

function fitsForm(text: string, form: Form | undefined): boolean {
  return text === '' || form === undefined || form.fits.test(text);
}

interface ChosenProps extends FilterProps {
  among: { value: string; label: string }[];
}

/** Narrows a list to one of several. */
export function ChosenFilter({ label, value = '', among, onChange, className = '' }: ChosenProps) {
  // What an address names stays shown, even if nothing offers it.
  const known = value === '' || among.some((each) => each.value === value);
  const named = known ? among : [...among, { value, label: value }];
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[{ value: '', label: 'all' }, ...named]}
      className={className}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

interface DayProps extends FilterProps {
  /** Why it is wrong: for screen readers, since what is seen is said once for all fields. */
  fault?: string;
}

/** Narrows a list by a day. */
function DayFilter(props: DayProps) {
  const { label, value = '', onChange, className = '', fault = '' } = props;
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      className={className}
      error={fault !== '' && <VisuallyHidden>{fault}</VisuallyHidden>}
      classNames={{ error: classes.unseen, wrapper: classes.unmoved }}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

interface PeriodProps {
  /** What happened on those days, such as `Created`, where a list has several times. */
  of?: string;
  /** As the address has it, perhaps among other filters. */
  value: Period;
  onChange: (change: Period) => void;
}

/** Narrows a list to the days from one to another, and says it where none can be in between. */
export function PeriodFilter({ of = '', value, onChange }: PeriodProps) {
  const { date_from, date_to } = value;
  const [from, to] = of === '' ? ['From', 'To'] : [`${of} from`, `${of} to`];
  const fault = isBackwards(value) ? `${from} is after ${to}, so the period is empty.` : '';
  return (
    <>
      <DayFilter
        label={from}
        value={date_from}
        onChange={(day) => onChange({ date_from: day })}
        fault={fault}
      />
      <DayFilter
        label={to}
        value={date_to}
        onChange={(day) => onChange({ date_to: day })}
        fault={fault}
      />
      {fault !== '' && (
        <p role="alert" className={classes.fault}>
          {fault}
        </p>
      )}
    </>
  );
}
