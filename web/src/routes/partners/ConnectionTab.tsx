import { Text } from '@mantine/core';
import type { ErrorDetail } from '../../api/error';
import {
  type ConnectionForm,
  connectionBody,
  connectionFaults,
  facedFaults,
  readConnection,
} from '../../core/partnerConnection';
import { connectionMeans } from '../../core/partners';
import { useEnvironment } from '../../shell/EnvironmentSwitch';
import { Panel } from '../../ui/Panel';
import { ConnectionBadge } from './Badges';
import { ConnectionFields } from './ConnectionFields';
import { InboundAddress } from './InboundAddress';
import { LastFailure, useFailure } from './LastFailure';
import classes from './partners.module.css';
import type { Partner } from './queries';
import { SectionForm } from './SectionForm';
import { type Part, useSection } from './useSection';

type Side = 'test' | 'live';

function partOf(side: Side): Part<ConnectionForm> {
  return {
    read: ({ connections }) => readConnection(connections[side]),
    write: (form, { connections }) => ({
      connections: { ...connections, [side]: connectionBody(form) },
    }),
    check: connectionFaults,
    facing: (details: readonly ErrorDetail[]) => facedFaults(details, side),
    saved: `The ${side} connection was saved.`,
  };
}

const SIDES: Record<Side, { title: string; about: string; part: Part<ConnectionForm> }> = {
  test: {
    title: 'Test connection',
    about: 'Used for sandbox documents only.',
    part: partOf('test'),
  },
  live: {
    title: 'Live connection',
    about: 'Used for live documents once the partner is active. Its address must begin with https.',
    part: partOf('live'),
  },
};

/** How documents reach the partner, and how it reaches us. */
export function ConnectionTab({ partner }: { partner: Partner }) {
  return (
    <div className={classes.two}>
      {(['test', 'live'] as const).map((side) => (
        <div key={side} className={classes.stack}>
          <OneConnection partner={partner} side={side} />
          <InboundAddress partner={partner} side={side} />
        </div>
      ))}
    </div>
  );
}

function OneConnection({ partner, side }: { partner: Partner; side: Side }) {
  const { title, about, part } = SIDES[side];
  const section = useSection(partner, part);
  const { isTriedAgain } = useFailure(partner);
  const environment = side === 'live' ? 'production' : 'sandbox';
  const shown = useEnvironment() === 'production' ? 'live' : 'test';
  return (
    <Panel
      title={title}
      {...(shown === side && { actions: <ConnectionBadge status={partner.connection_status} /> })}
    >
      <SectionForm label={title} section={section}>
        <Text>
          {about} {shown === side && connectionMeans(partner.connection_status, isTriedAgain)}
        </Text>
        {shown === side && <LastFailure partner={partner} />}
        <ConnectionFields
          form={section.values}
          faults={section.faults}
          isShown={shown === side}
          of={{ partnerId: partner.id, environment, isDirty: section.isDirty }}
          onChange={section.change}
        />
      </SectionForm>
    </Panel>
  );
}
