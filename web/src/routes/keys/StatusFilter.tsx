import { NativeSelect } from '@mantine/core';
import { KEY_STATUSES, type KeyStatus } from '../../core/keys';

interface Props {
  status: KeyStatus | undefined;
  onStatus: (status: KeyStatus | undefined) => void;
}

/** Which keys are shown; the page keeps it in its address. */
export function StatusFilter({ status, onStatus }: Props) {
  return (
    <NativeSelect
      aria-label="Status"
      size="xs"
      data={[{ value: '', label: 'All statuses' }, ...KEY_STATUSES]}
      value={status ?? ''}
      onChange={(event) =>
        onStatus(KEY_STATUSES.find((each) => each === event.currentTarget.value))
      }
    />
  );
}
