/** What is said of an endpoint in several places. */
import { ListInWords } from '../../ui/ListInWords';
import { StatusBadge } from '../../ui/StatusBadge';
import type { Webhook } from './api';

export const DISABLED_REASONS: Readonly<Record<Webhook['disabled_reason'], string>> = {
  '': '',
  by_user: 'A user disabled it.',
  failing: 'It took no call for three days.',
  gone: 'It answered with status 410, which means that it is gone.',
};

export function WebhookBadge({ of: { status, disabled_reason } }: { of: Webhook }) {
  if (status === 'active') return <StatusBadge tone="ok">Active</StatusBadge>;
  return (
    <span title={DISABLED_REASONS[disabled_reason]}>
      <StatusBadge tone={disabled_reason === 'by_user' ? 'plain' : 'err'}>Disabled</StatusBadge>
    </span>
  );
}

export function EventWords({ events, most }: { events: Webhook['events']; most: number }) {
  if (events.length === 0) return 'all';
  return <ListInWords items={events} most={most} what="events" />;
}
