import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { openWords, pageAddress } from '../../core/overviewWords';
import { Icon, type IconName } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { QueryState } from '../../ui/States';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { type AttentionRow, attentionQuery } from './queries';
import classes from './Trade.module.css';

const ICONS: Record<AttentionRow['kind'], IconName> = {
  rejected: 'close',
  delivery_failed: 'close',
  connection_failing: 'alert',
  quarantined: 'lock',
  ack_overdue: 'clock',
  invalid_received: 'file',
  control_numbers_low: 'alert',
};

/** What somebody should look at, several of a kind in one, the most severe first. */
export function Attention() {
  const attention = useQuery(attentionQuery);
  return (
    <Panel title="Needs attention" flush>
      <QueryState query={attention} what="What needs attention could not be loaded.">
        {({ items, has_more }) =>
          items.length === 0 ? (
            <p className={classes.nothing}>
              <Icon name="check" size={16} /> Nothing needs attention.
            </p>
          ) : (
            <>
              <ul className={classes.attention}>
                {items.map((item) => (
                  <Item key={`${item.kind} ${item.href} ${item.title}`} item={item} />
                ))}
              </ul>
              {has_more && (
                <p className={classes.nothing}>There are more; the most severe are shown.</p>
              )}
            </>
          )
        }
      </QueryState>
    </Panel>
  );
}

function Item({ item }: { item: AttentionRow }) {
  const tone = item.severity === 'error' ? classes.err : classes.warn;
  return (
    <li className={classes.item}>
      <span className={tone}>
        <Icon
          name={ICONS[item.kind]}
          size={18}
          label={item.severity === 'error' ? 'Error' : 'Warning'}
        />
      </span>
      <span className={classes.itemTitle}>
        <VisibleText text={item.title} />
      </span>
      {item.since !== null && (
        <span className={classes.itemTime}>
          {openWords(item.href, item.count) !== 'Open' && 'oldest '}
          <Time value={item.since} />
        </span>
      )}
      <OpenItem item={item} />
    </li>
  );
}

/** The address comes from the server: followed as a page of the application, or not at all. */
function OpenItem({ item }: { item: AttentionRow }) {
  const router = useRouter();
  const href = pageAddress(item.href);
  if (href === null) return null;
  const words = openWords(href, item.count);
  const follow = (event: MouseEvent) => {
    // Another tab or window is the browser's affair.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(href);
  };
  return (
    <Anchor
      href={href}
      onClick={follow}
      className={classes.open}
      aria-label={`${words}: ${item.title}`}
    >
      {words}
    </Anchor>
  );
}
