import { Button, Text } from '@mantine/core';
import { counted } from '../../core/treeWords';
import { Icon } from '../../ui/Icon';
import { CancelManyDialog } from './CancelManyDialog';
import type { Transaction } from './queries';
import { RedriveDialog } from './RedriveDialog';
import classes from './Transactions.module.css';

export type BulkAction = 'retry' | 'cancel';

interface BarProps {
  /** How many are ticked. */
  count: number;
  onTickAll: () => void;
  onTickNone: () => void;
  onAsk: (action: BulkAction) => void;
}

/** What can be done with several transactions: those ticked, or for a retry all that fit. */
export function BulkBar({ count, onTickAll, onTickNone, onAsk }: BarProps) {
  return (
    <div className={classes.group}>
      {count === 0 ? (
        <Button size="compact-sm" variant="default" onClick={onTickAll}>
          Select page
        </Button>
      ) : (
        <>
          <Text size="sm">{counted(count, 'transaction')} selected</Text>
          <Button size="compact-sm" variant="default" onClick={onTickNone}>
            Select none
          </Button>
        </>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="repeat" size={14} />}
        onClick={() => onAsk('retry')}
      >
        Retry deliveries…
      </Button>
      {count > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => onAsk('cancel')}>
          Cancel transactions…
        </Button>
      )}
    </div>
  );
}

interface DialogProps {
  asked: BulkAction;
  chosen: Transaction[];
  filters: Record<string, string>;
  /** How many fit the filters, on all pages. */
  list: { total: number; total_is_exact: boolean };
  onClose: () => void;
  onDone: () => void;
}

export function BulkDialog({ asked, chosen, filters, list, onClose, onDone }: DialogProps) {
  if (asked === 'retry') {
    const own = { total: chosen.length, total_is_exact: true };
    return (
      <RedriveDialog
        chosen={chosen}
        filters={filters}
        list={chosen.length > 0 ? own : list}
        onClose={onClose}
        onDone={onDone}
      />
    );
  }
  const done = () => {
    onClose();
    onDone();
  };
  return <CancelManyDialog of={chosen} onClose={onClose} onDone={done} />;
}
