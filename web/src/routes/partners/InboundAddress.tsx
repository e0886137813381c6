import { Button, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { useEnvironment } from '../../shell/EnvironmentSwitch';
import { CopyButton } from '../../ui/CopyButton';
import { Icon } from '../../ui/Icon';
import { notifyDone } from '../../ui/notify';
import { Panel } from '../../ui/Panel';
import { RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import { rotateAddress } from './changes';
import classes from './partners.module.css';
import type { Partner } from './queries';

type Side = 'test' | 'live';

const TITLES: Record<Side, string> = {
  test: 'Where the partner sends test documents',
  live: 'Where the partner sends live documents',
};

/** The address for the partner, which is all it needs to send. */
export function InboundAddress({ partner, side }: { partner: Partner; side: Side }) {
  const { user } = useSession();
  const environment = useEnvironment();
  const [isRotating, setRotating] = useState(false);
  const canSee = user.role !== 'viewer';
  const address = side === 'test' ? partner.inbound_url_test : partner.inbound_url;
  return (
    <Panel title={TITLES[side]}>
      <Stack gap="md">
        {address === '' ? (
          <Text>{whyHidden(partner, side, environment === 'production')}</Text>
        ) : (
          <>
            <Text>
              {canSee
                ? 'Give it only to the partner: anyone who has it can send documents as the partner.'
                : 'Only editors and owners see the full address: anyone who has it can send documents as the partner.'}
            </Text>
            <div className={classes.address}>
              <code>{address}</code>
              {canSee && <CopyButton text={address} what="address" />}
            </div>
          </>
        )}
        {address !== '' && canSee && (
          <div>
            <Button
              variant="default"
              size="compact-md"
              leftSection={<Icon name="refresh" size={14} />}
              onClick={() => setRotating(true)}
            >
              New address…
            </Button>
          </div>
        )}
      </Stack>
      <RotateDialog
        partner={partner}
        side={side}
        opened={isRotating}
        onClose={() => setRotating(false)}
      />
    </Panel>
  );
}

function whyHidden({ partner_status }: Partner, side: Side, isProduction: boolean): string {
  if (side === 'test') return 'There is no address at the moment.';
  if (partner_status !== 'active') return 'It is shown once the partner is active.';
  return isProduction ? 'There is no address at the moment.' : 'It is shown in Production.';
}

const OVERLAPS = [
  [0, 'No overlap: the old one is refused from now on'],
  [1, '1 hour'],
  [24, '24 hours'],
  [168, '7 days'],
] as const;
const DEFAULT_HOURS = 24;

interface DialogProps {
  partner: Partner;
  side: Side;
  opened: boolean;
  onClose: () => void;
}

/** Makes a new address; the old one is taken for as long as the partner needs to change over. */
function RotateDialog({ partner, side, opened, onClose }: DialogProps) {
  const [hours, setHours] = useState<number>(DEFAULT_HOURS);
  const { busy, refusal, left, run } = useSubmission();
  const rotate = () =>
    run(async () => {
      const environment = side === 'test' ? 'sandbox' : 'production';
      await rotateAddress(partner.id, { environment, overlap_hours: hours });
      notifyDone('The address was changed. Give the new one to the partner.');
      onClose();
    });
  return (
    <Modal opened={opened} onClose={onClose} title={`New address: ${side} documents`}>
      <Stack gap="md">
        <Text>
          The partner gets a new address. Both addresses work until the overlap ends; then documents
          sent to the old one are refused.
        </Text>
        <Radio.Group
          label="The old address works for"
          value={String(hours)}
          onChange={(chosen) => setHours(Number(chosen))}
        >
          <Stack gap="sm" mt="xs">
            {OVERLAPS.map(([value, label]) => (
              <Radio key={value} value={String(value)} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button loading={busy} disabled={left > 0} onClick={() => void rotate()}>
            Create new address
          </Button>
        </div>
      </Stack>
    </Modal>
  );
}
