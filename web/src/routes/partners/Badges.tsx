import {
  CONNECTION_MEANING,
  type ConnectionStatus,
  type PartnerStatus,
  STATUS_MEANING,
} from '../../core/partners';
import { StatusBadge } from '../../ui/StatusBadge';

/** How far the trade with a partner is. */
export function PartnerBadge({ status }: { status: PartnerStatus }) {
  const { tone, word } = STATUS_MEANING[status];
  return (
    <StatusBadge tone={tone} icon={status === 'testing' ? 'clock' : undefined}>
      {word}
    </StatusBadge>
  );
}

/** What is known of a connection. */
export function ConnectionBadge({ status }: { status: ConnectionStatus }) {
  const { tone, word } = CONNECTION_MEANING[status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
