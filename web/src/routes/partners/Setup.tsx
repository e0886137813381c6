import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session';
import { readConnection } from '../../core/partnerConnection';
import { type Step, type StepKey, setupSteps } from '../../core/partnerSetup';
import { useEnvironment } from '../../shell/EnvironmentSwitch';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { QueryState } from '../../ui/States';
import { LinkButton } from '../../ui/TextLink';
import { useFailure } from './LastFailure';
import { MoveButton } from './MoveButton';
import classes from './partners.module.css';
import { exchangesQuery, type Partner } from './queries';
import { goToExchange, TestExchange } from './TestExchange';

/** What is done and what is left until a partner is active, and the exchange that proves it. */
export function Setup({ partner }: { partner: Partner }) {
  const exchanges = useQuery(exchangesQuery(partner.id));
  const isSandbox = useEnvironment() === 'sandbox';
  const { isTriedAgain } = useFailure(partner);
  return (
    <QueryState query={exchanges} what="The exchanges could not be loaded.">
      {({ latest, wasAccepted }) => (
        <div className={classes.two}>
          <Panel title="Set-up">
            <ol className={classes.steps}>
              {setupSteps({
                ...{ partner_status: partner.partner_status, latest, wasAccepted },
                ...{ edi_identity: partner.edi_identity, ack_type: partner.ack_type },
                testConnection: readConnection(partner.connections.test).type,
                testStatus: isSandbox ? partner.connection_status : null,
                isTriedAgain,
                mapCount: partner.routes.filter(({ map_id }) => map_id !== null).length,
              }).map((step) => (
                <StepRow key={step.key} step={step} partner={partner} latest={latest?.id ?? null} />
              ))}
            </ol>
          </Panel>
          <TestExchange partner={partner} latest={latest?.id ?? null} />
        </div>
      )}
    </QueryState>
  );
}

const STATE_WORDS: Record<Step['state'], string> = {
  done: 'Done:',
  open: 'To do:',
  optional: 'Optional:',
};

interface RowProps {
  step: Step;
  partner: Partner;
  /** The newest test document. */
  latest: number | null;
}

function StepRow({ step, partner, latest }: RowProps) {
  const { user } = useSession();
  return (
    <li className={classes.step} data-state={step.state}>
      <span className={classes.mark}>
        {step.state === 'done' && <Icon name="check" size={12} />}
      </span>
      <div>
        <p className={classes.stepTitle}>
          <span className="ls-visually-hidden">{STATE_WORDS[step.state]} </span>
          {step.title}
        </p>
        <p className={classes.stepText}>{step.text}</p>
      </div>
      {user.role !== 'viewer' && step.state !== 'done' && (
        <StepAction of={step.key} partner={partner} latest={latest} />
      )}
    </li>
  );
}

const TABS: Partial<Record<StepKey, ['identity' | 'connection' | 'maps', string]>> = {
  identity: ['identity', 'Enter identity'],
  connection: ['connection', 'Enter connection'],
  maps: ['maps', 'Choose maps'],
};

interface ActionProps {
  of: StepKey;
  partner: Partner;
  latest: number | null;
}

/** The way to a step. */
function StepAction({ of, partner, latest }: ActionProps) {
  if (of === 'active') {
    const isReady = partner.partner_status === 'testing';
    return isReady ? <MoveButton partner={partner} to="active" /> : null;
  }
  if (of === 'sent') {
    return (
      <Button variant="default" size="compact-md" onClick={goToExchange}>
        Go to the test
      </Button>
    );
  }
  if (of === 'answered' && latest !== null) {
    return (
      <LinkButton
        to="/app/transactions/$transactionId"
        params={{ transactionId: String(latest) }}
        variant="default"
        size="compact-md"
      >
        Open
      </LinkButton>
    );
  }
  const [tab, label] = TABS[of] ?? [];
  const isEntered = readConnection(partner.connections.test).type !== 'none';
  const words = of === 'connection' && isEntered ? 'Check connection' : label;
  if (tab === undefined) return null;
  return (
    <LinkButton
      to="/app/partners/$partnerId"
      params={{ partnerId: String(partner.id) }}
      search={{ tab }}
      variant="default"
      size="compact-md"
    >
      {words}
    </LinkButton>
  );
}
