import { CONNECTION_MEANING, CONNECTION_NAMES, STATUS_MEANING } from '../../core/partners';
import { useEnvironment } from '../../shell/EnvironmentSwitch';
import { Fact, Facts } from '../../ui/Facts';
import { Panel } from '../../ui/Panel';
import { TextLink } from '../../ui/TextLink';
import { Time } from '../../ui/Time';
import { ConnectionBadge, PartnerBadge } from './Badges';
import classes from './partners.module.css';
import type { Partner } from './queries';

/** How the trade with a partner stands, in words. */
export function PartnerHead({ partner }: { partner: Partner }) {
  const { partner_status, connection_type, connection_status } = partner;
  const environment = useEnvironment();
  return (
    <Panel>
      <p className={classes.status}>
        <PartnerBadge status={partner_status} /> {STATUS_MEANING[partner_status].means}
      </p>
      <Facts>
        <Fact name="EDI identity">
          {partner.edi_identity === '' ? 'none yet' : <code>{partner.edi_identity}</code>}
        </Fact>
        <Fact name={environment === 'production' ? 'Live connection' : 'Test connection'}>
          <span className={classes.connection}>
            {CONNECTION_NAMES[connection_type]}
            <span title={CONNECTION_MEANING[connection_status].means}>
              <ConnectionBadge status={connection_status} />
            </span>
          </span>
        </Fact>
        {partner.circuit_breaker.state !== 'closed' && (
          <Fact name="Circuit breaker">
            <span>
              open since <Time value={partner.circuit_breaker.opened_at} />: documents wait, the
              next probe is sent <Time value={partner.circuit_breaker.next_probe_at} />
            </span>
          </Fact>
        )}
        <Fact name="Last activity">
          <Time value={partner.last_activity_at} />
        </Fact>
        <Fact name="Documents">
          <TextLink to="/app/transactions" search={{ partner_id: String(partner.id) }}>
            all of this partner
          </TextLink>
        </Fact>
      </Facts>
    </Panel>
  );
}
