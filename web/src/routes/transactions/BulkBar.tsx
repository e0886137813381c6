import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../core/treeWords';
import { Icon } from '../../ui/Icon';
import { CancelManyDialog } from './CancelManyDialog';
import type { Transaction } from './queries';
import { RedriveDialog } from './RedriveDialog';
import classes from './Transactions.module.css';

interface Props {
  ticked: ReadonlyMap<number, Transaction>;
  filters: Record<string, string>;
  /** How many fit the filters, on all pages. */
  list: { total: number; total_is_exact: boolean };
  onTickAll: () => void;
  onTickNone: () => void;
  onDone: () => void;
}

/** What can be done with several transactions: those ticked, or for a retry all that fit. */
export function BulkBar(props: Props) {
  const { ticked, filters, list, onTickAll, onTickNone, onDone } = props;
  const [asked, setAsked] = useState<'retry' | 'cancel' | null>(null);
  const chosen = [...ticked.values()];
  const close = () => setAsked(null);
  const done = () => {
    close();
    onDone();
  };
  const which =
    chosen.length > 0 ? ({ ids: chosen.map(({ id }) => id) } as const) : ({ filters } as const);
  return (
    <div className={classes.group}>
      {chosen.length === 0 ? (
        <Button size="compact-sm" variant="default" onClick={onTickAll}>
          Select page
        </Button>
      ) : (
        <>
          <Text size="sm">{counted(chosen.length, 'transaction')} selected</Text>
          <Button size="compact-sm" variant="default" onClick={onTickNone}>
            Select none
          </Button>
        </>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="repeat" size={14} />}
        onClick={() => setAsked('retry')}
      >
        Retry failed deliveries…
      </Button>
      {chosen.length > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => setAsked('cancel')}>
          Cancel transactions…
        </Button>
      )}
      {asked === 'retry' && (
        <RedriveDialog
          which={which}
          list={chosen.length > 0 ? { total: chosen.length, total_is_exact: true } : list}
          onClose={close}
          onDone={onDone}
        />
      )}
      {asked === 'cancel' && <CancelManyDialog of={chosen} onClose={close} onDone={done} />}
    </div>
  );
}
