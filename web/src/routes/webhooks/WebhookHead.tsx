import { useQuery } from '@tanstack/react-query';
import { visibleText } from '../../core/visible';
import { Fact, Facts } from '../../ui/Facts';
import { ListInWords } from '../../ui/ListInWords';
import { Panel } from '../../ui/Panel';
import { Time } from '../../ui/Time';
import { VisibleText } from '../../ui/VisibleText';
import { partnersDirectory } from '../PartnerFilter';
import type { Webhook } from './api';
import classes from './webhooks.module.css';
import { DISABLED_REASONS, EventWords, WebhookBadge } from './words';

/** Where and about what an endpoint is called, and how it goes. */
export function WebhookHead({ webhook }: { webhook: Webhook }) {
  return (
    <Panel title="Endpoint">
      <p className={classes.status}>
        <WebhookBadge of={webhook} />
        {webhook.status === 'disabled' &&
          `${DISABLED_REASONS[webhook.disabled_reason]} It is not called until somebody enables it.`}
      </p>
      <Facts>
        <Fact name="URL">
          <span className={classes.url}>
            <VisibleText text={webhook.url} />
          </span>
        </Fact>
        <Fact name="Events">
          <EventWords events={webhook.events} most={6} />
        </Fact>
        <Fact name="Partners">
          <PartnerNames ids={webhook.partner_ids} />
        </Fact>
        <Fact name="Last success">
          <Time value={webhook.last_success_at} />
        </Fact>
        <Fact name="Last failure">
          <Time value={webhook.last_failure_at} />
        </Fact>
        <Fact name="Created">
          <Time value={webhook.created_at} />
        </Fact>
      </Facts>
    </Panel>
  );
}

function PartnerNames({ ids }: { ids: number[] }) {
  const partners = useQuery(partnersDirectory);
  if (ids.length === 0) return 'all';
  const names = new Map((partners.data ?? []).map(({ id, name }) => [id, visibleText(name)]));
  return (
    <ListInWords
      items={ids.map((id) => names.get(id) ?? `Partner ${id}`)}
      most={6}
      what="partners"
    />
  );
}
