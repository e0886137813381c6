import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { dayInDays, LONGEST_LIFE_DAYS } from '../../core/keys';
import classes from './keys.module.css';
import type { NewKey } from './NewKeyDialog';

const CHOICES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'date', label: 'On a day' },
];

/** When a new key stops working. */
export function ExpiryField({ form }: { form: UseFormReturnType<NewKey> }) {
  const now = Date.now();
  return (
    <div className={classes.expiry}>
      <NativeSelect label="Expires" data={CHOICES} {...form.getInputProps('expiry')} />
      {form.values.expiry === 'date' && (
        <TextInput
          label="Day"
          type="date"
          description="The key expires at the start of this day, UTC."
          min={dayInDays(1, now)}
          max={dayInDays(LONGEST_LIFE_DAYS, now)}
          {...form.getInputProps('date')}
        />
      )}
    </div>
  );
}
