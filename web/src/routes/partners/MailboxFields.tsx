import { PasswordInput, Text, Textarea } from '@mantine/core';
import type { MailboxForm } from '../../core/mailboxConnection';
import type { ConnectionForm } from '../../core/partnerConnection';
import { ConnectionCheck } from './ConnectionCheck';
import type { CheckedConnection } from './SftpFields';
import type { Faults } from './useSection';

interface Props {
  form: ConnectionForm;
  faults: Faults;
  of: CheckedConnection;
  onChange: (changed: Partial<ConnectionForm>) => void;
}

/** A mailbox on our own SFTP server: how the partner logs in there. */
export function MailboxFields({ form, faults, of, onChange }: Props) {
  const { mailbox } = form;
  const change = (changed: Partial<MailboxForm>) =>
    onChange({ mailbox: { ...mailbox, ...changed } });
  return (
    <>
      <Text c="dimmed">
        The partner logs in at the SFTP server of this installation, with the password or one of the
        keys. Save the mailbox and check it: the result has what to send to the partner.
      </Text>
      <PasswordInput
        label="Password"
        description="12 characters or more."
        autoComplete="new-password"
        placeholder={mailbox.isPasswordStored ? 'set; leave empty to keep' : ''}
        maxLength={200}
        value={mailbox.password}
        error={faults.password ?? null}
        onChange={(event) => change({ password: event.currentTarget.value })}
      />
      <Textarea
        label="Public keys of the partner"
        description="In the format of OpenSSH, one a line, at most 5."
        placeholder="ssh-ed25519 AAAA…"
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        value={mailbox.public_keys}
        error={faults.public_keys ?? null}
        onChange={(event) => change({ public_keys: event.currentTarget.value })}
      />
      <ConnectionCheck of={of} />
    </>
  );
}
