import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { readConnection } from '../../core/partnerConnection';
import {
  lacksForLive,
  MOVES,
  type Move,
  type PartnerStatus,
  STATUS_MEANING,
} from '../../core/partners';
import { notifyDone } from '../../ui/notify';
import { RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import { freshPartner, savePartner } from './changes';
import classes from './partners.module.css';
import type { Partner } from './queries';

interface ButtonProps {
  partner: Partner;
  to: PartnerStatus | null;
  size?: 'sm' | 'compact-md';
}

/** Leads a partner to another status, once what that means was read. */
export function MoveButton({ partner, to, size = 'compact-md' }: ButtonProps) {
  const [opened, setOpened] = useState(false);
  const move = MOVES[partner.partner_status].find((each) => each.to === to);
  if (move === undefined) return null;
  return (
    <>
      <Button variant="default" size={size} onClick={() => setOpened(true)}>
        {move.label}
      </Button>
      <MoveDialog partner={partner} move={move} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

interface DialogProps {
  partner: Partner;
  move: Move;
  opened: boolean;
  onClose: () => void;
}

/** Says what a step changes, and makes it. */
function MoveDialog({ partner, move, opened, onClose }: DialogProps) {
  const { environments } = useSession();
  const { busy, refusal, left, run } = useSubmission();
  const live = readConnection(partner.connections.live).type;
  const lacks = move.to === 'active' ? lacksForLive(live, environments.includes('production')) : [];
  const go = () =>
    run(
      async () => {
        const { partner_status } = await moved(partner, move.to);
        notifyDone(`${partner.name} is ${STATUS_MEANING[partner_status].word.toLowerCase()} now.`);
        onClose();
      },
      ({ code }) => {
        // What is shown is old; the refusal says to look again.
        if (code === 'edit_conflict') void freshPartner(partner.id);
        return false;
      },
    );
  return (
    <Modal opened={opened} onClose={onClose} title={`${move.label}: ${partner.name}`}>
      <Stack gap="md">
        <Text>{move.means}</Text>
        {lacks.map((each) => (
          <Text key={each}>{each}</Text>
        ))}
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button onClick={() => void go()} loading={busy} disabled={left > 0}>
            {move.label}
          </Button>
        </div>
      </Stack>
    </Modal>
  );
}

/** An inactive partner goes back to what it was before, which the service knows. */
function moved(partner: Partner, to: PartnerStatus | null): Promise<Partner> {
  return savePartner(partner, { partner_status: to ?? partner.allowed_statuses[0] });
}
