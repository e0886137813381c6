import { useRouterState, useSearch } from '@tanstack/react-router';
import { readAddress, unreadIn } from '../core/address';
import { Icon } from './Icon';
import { ListInWords } from './ListInWords';
import classes from './UnreadAddress.module.css';

const MAX_NAMED = 5;
const MAX_CHARS = 80;

/** Says what the address names and the page does not know, as a link of long ago may. */
export function UnreadAddress() {
  const written = useRouterState({ select: (now) => now.resolvedLocation?.state.written });
  const read = useSearch({ strict: false });
  const unread = unreadIn(readAddress(written ?? ''), read);
  if (unread.length === 0) return null;
  const named = unread.map((each) => each.slice(0, MAX_CHARS));
  return (
    <p className={classes.line}>
      <Icon name="alert" size={14} />
      <span>
        These parts of the address are unknown and were ignored:{' '}
        <ListInWords items={named} most={MAX_NAMED} what="names" />.
      </span>
    </p>
  );
}
