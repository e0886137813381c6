import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { queryClient } from '../../api/queryClient';
import { useSession } from '../../api/session';
import { readConnection } from '../../core/partnerConnection';
import { bareSets, testSamples } from '../../core/partnerSetup';
import { samplesQuery } from '../../mapper/server';
import { useEnvironment } from '../../shell/EnvironmentSwitch';
import { Panel } from '../../ui/Panel';
import { RefusalText } from '../../ui/RefusalText';
import { QueryState } from '../../ui/States';
import { TextLink } from '../../ui/TextLink';
import { useSubmission } from '../../ui/useSubmission';
import { savePartner, sendTest } from './changes';
import { Exchange } from './Exchange';
import type { Partner } from './queries';

interface Props {
  partner: Partner;
  /** The newest test document that was sent, null before the first. */
  latest: number | null;
}

const EXCHANGE = 'test-exchange';

/** Puts the focus where a test document is sent: next to the steps, or below on a narrow screen. */
export function goToExchange(): void {
  const exchange = document.getElementById(EXCHANGE);
  exchange?.scrollIntoView({ block: 'nearest' });
  exchange?.querySelector<HTMLElement>('button, a')?.focus();
}

/** Sends a sample as a test, and shows what becomes of it while it happens. */
export function TestExchange({ partner, latest }: Props) {
  const [sent, setSent] = useState<number | null>(null);
  const { user } = useSession();
  const followed = sent ?? latest;
  return (
    <Panel title="Test exchange">
      <Stack gap="lg" id={EXCHANGE}>
        {user.role !== 'viewer' && <Sending partner={partner} onSent={setSent} />}
        {followed !== null && <Exchange key={followed} id={followed} isNew={sent !== null} />}
        {followed === null && user.role === 'viewer' && <Text>Nothing has been sent yet.</Text>}
      </Stack>
    </Panel>
  );
}

interface SendingProps {
  partner: Partner;
  onSent: (record: number | null) => void;
}

function Sending({ partner, onSent }: SendingProps) {
  const environment = useEnvironment();
  const samples = useQuery(samplesQuery);
  const lack = whyNot(partner, environment === 'production');
  if (lack !== null) {
    return (
      <Text>
        {lack.text}{' '}
        {lack.tab !== undefined && (
          <TextLink
            to="/app/partners/$partnerId"
            params={{ partnerId: String(partner.id) }}
            search={{ tab: lack.tab }}
          >
            Enter ISA id
          </TextLink>
        )}
      </Text>
    );
  }
  return (
    <QueryState query={samples} what="The samples could not be loaded.">
      {(found) => (
        <SendForm partner={partner} samples={testSamples(found, partner.tx_sets)} onSent={onSent} />
      )}
    </QueryState>
  );
}

/** Why no test document can be sent now; null: it can. */
function whyNot(
  { partner_status, edi_identity }: Partner,
  isProduction: boolean,
): { text: string; tab?: 'identity' } | null {
  if (isProduction) {
    return { text: 'Test documents belong to the sandbox. Choose Sandbox at the top of the page.' };
  }
  if (partner_status === 'pending') {
    return { text: 'The partner is pending. Start testing first.' };
  }
  if (partner_status === 'inactive') {
    return { text: 'The partner is inactive. Reactivate it first.' };
  }
  if (edi_identity !== '') return null;
  return {
    text: 'The partner has no ISA id, so documents cannot be addressed to it.',
    tab: 'identity',
  };
}

interface FormProps extends SendingProps {
  samples: Schemas['SampleItem'][];
}

function SendForm({ partner, samples, onSent }: FormProps) {
  const [name, setName] = useState(samples[0]?.name ?? '');
  const { busy, refusal, left, run } = useSubmission();
  const type = readConnection(partner.connections.test).type;
  const isUnconnected = type === 'none';
  const sample = samples.find((each) => each.name === name);
  const send = () =>
    run(async () => {
      const content = bareSets(sample?.document ?? '');
      if (sample === undefined || content === null) return;
      const to = isUnconnected ? await withSimulator(partner) : partner;
      onSent(await sendTest(to, sample.tx_set, content));
      await queryClient.invalidateQueries({ queryKey: ['partner', String(partner.id)] });
    });
  return (
    <form
      aria-label="Test exchange"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Stack gap="md" align="flex-start">
        <Text>
          {TRANSPORTS[type] ??
            'It goes over the test connection, in an envelope with the next control numbers.'}
        </Text>
        <NativeSelect
          label="Sample"
          value={name}
          data={samples.map((each) => ({ value: each.name, label: each.title }))}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RefusalText refusal={refusal} left={left} />
        <Button type="submit" loading={busy} disabled={left > 0}>
          {isUnconnected ? 'Use the simulator and send' : 'Send test document'}
        </Button>
      </Stack>
    </form>
  );
}

const TRANSPORTS: Record<string, string> = {
  none: 'There is no test connection yet. The simulator can stand in for the partner: it becomes the test connection until you enter another one.',
  simulator: 'The simulator stands in for the partner.',
};

function withSimulator(partner: Partner): Promise<Partner> {
  const test = { type: 'simulator', script: 'accept' };
  return savePartner(partner, { connections: { ...partner.connections, test } });
}
