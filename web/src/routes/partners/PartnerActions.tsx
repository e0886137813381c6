import { Button, Menu, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { partnerFile, partnerFileName } from '../../core/partnerFile';
import { MOVES } from '../../core/partners';
import { DangerButton } from '../../ui/DangerButton';
import { Icon } from '../../ui/Icon';
import { notifyDone } from '../../ui/notify';
import { RefusalText } from '../../ui/RefusalText';
import { saveFile } from '../../ui/saveFile';
import { useSubmission } from '../../ui/useSubmission';
import { deletePartner, forgetPartner, freshPartner } from './changes';
import { MoveButton } from './MoveButton';
import classes from './partners.module.css';
import type { Partner } from './queries';

/** What can be done with a partner as a whole. */
export function PartnerActions({ partner }: { partner: Partner }) {
  const [isDeleting, setDeleting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** The entry of the menu that asked is gone by now. */
  const keep = () => {
    setDeleting(false);
    setTimeout(() => button.current?.focus());
  };
  return (
    <>
      {MOVES[partner.partner_status].map(({ to, label }) => (
        <MoveButton key={label} partner={partner} to={to} size="sm" />
      ))}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button ref={button} variant="default" aria-label="More actions">
            <Icon name="dots" size={16} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="download" size={16} />}
            onClick={() => exported(partner)}
          >
            Export
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="trash" size={16} />}
            onClick={() => setDeleting(true)}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeleteDialog partner={partner} opened={isDeleting} onClose={keep} />
    </>
  );
}

function exported(partner: Partner): void {
  const content = new Blob([partnerFile(partner)], { type: 'application/json' });
  saveFile(content, partnerFileName(partner.name, partner.id));
  notifyDone('The partner was exported. The file does not contain secrets.');
}

interface DeleteProps {
  partner: Partner;
  opened: boolean;
  onClose: () => void;
}

function DeleteDialog({ partner, opened, onClose }: DeleteProps) {
  const navigate = useNavigate();
  const { busy, refusal, left, run } = useSubmission();
  const remove = () =>
    run(
      async () => {
        await deletePartner(partner);
        await navigate({ to: '/app/partners', ignoreBlocker: true });
        await forgetPartner(partner);
        notifyDone(`The partner ${partner.name} was deleted.`);
      },
      ({ code }) => {
        if (code === 'edit_conflict') void freshPartner(partner.id);
        return false;
      },
    );
  return (
    <Modal opened={opened} onClose={onClose} title={`Delete ${partner.name}`}>
      <Stack gap="md">
        <Text>
          Its connections, settings and inbound addresses are deleted, and documents sent to them
          are refused. A partner with exchanged documents cannot be deleted; make it inactive
          instead.
        </Text>
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <DangerButton loading={busy} disabled={left > 0} onClick={() => void remove()}>
            Delete
          </DangerButton>
        </div>
      </Stack>
    </Modal>
  );
}
