import { Link } from '@tanstack/react-router';
import { changeWords, shareWords, spanWords } from '../../core/overviewWords';
import { Icon } from '../../ui/Icon';
import type { Stats } from './queries';
import classes from './Trade.module.css';
import { FAILED_STATUSES, type Listed, outstanding, transactionsOf } from './terms';

interface Props {
  stats: Stats;
  /** How many days the figures are of. */
  length: number;
  /** Some acknowledgement did not come in time. */
  isOverdue: boolean;
}

/** The four figures of the overview; each leads to what it counts. */
export function Tiles({ stats, length, isOverdue }: Props) {
  const { totals, previous } = stats;
  const oldest = totals.oldest_unacked_seconds;
  return (
    <ul className={classes.tiles} aria-label="Figures">
      <Tile
        name="Transactions"
        value={totals.count.toLocaleString('en')}
        note={changeWords(totals.count, previous.count, length)}
        listed={transactionsOf(stats)}
      />
      <Tile
        name="Failed"
        value={shareWords(totals.failed, totals.count) ?? '–'}
        note={`${totals.failed.toLocaleString('en')} of ${totals.count.toLocaleString('en')}`}
        listed={transactionsOf(stats, { status: FAILED_STATUSES })}
      />
      <Tile
        name="Outstanding acknowledgements"
        value={totals.pending_acks.toLocaleString('en')}
        note="now"
        listed={outstanding()}
      />
      <Tile
        name="Oldest outstanding"
        value={oldest === null ? '–' : spanWords(oldest)}
        note={oldest === null ? 'none outstanding' : isOverdue ? 'overdue' : 'not overdue'}
        isWarning={isOverdue}
        listed={outstanding(isOverdue ? { overdue: true } : {})}
      />
    </ul>
  );
}

interface TileProps {
  name: string;
  value: string;
  note: string;
  isWarning?: boolean;
  listed: Listed;
}

function Tile({ name, value, note, isWarning = false, listed }: TileProps) {
  return (
    <li>
      <Link {...listed} className={classes.tile}>
        <span className={classes.tileName}>{name}</span>{' '}
        <span className={classes.tileValue}>{value}</span>{' '}
        <span className={isWarning ? classes.tileWarning : classes.tileNote}>
          {isWarning && <Icon name="alert" size={14} />} {note}
        </span>
      </Link>
    </li>
  );
}
