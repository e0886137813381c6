import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { ConnectionForm } from '../../core/partnerConnection';
import { LOGINS, SFTP_QUESTIONS, type SftpForm } from '../../core/sftpConnection';
import { CopyButton } from '../../ui/CopyButton';
import { ConnectionCheck } from './ConnectionCheck';
import { FolderFields } from './FolderFields';
import { ServerFields } from './ServerFields';
import type { Faults } from './useSection';

/** The partner and the environment whose connection a form is about. */
export interface CheckedConnection {
  partnerId: number;
  environment: 'sandbox' | 'production';
  /** There are changes that are not saved. */
  isDirty: boolean;
}

interface Props {
  form: ConnectionForm;
  faults: Faults;
  of: CheckedConnection;
  onChange: (changed: Partial<ConnectionForm>) => void;
}

/** An SFTP connection: the server, its host key, the login and the folder for our files. */
export function SftpFields({ form, faults, of, onChange }: Props) {
  const { sftp } = form;
  const change = (changed: Partial<SftpForm>) => onChange({ sftp: { ...sftp, ...changed } });
  const kept = sftp.stored === sftp.login ? 'set; leave empty to keep' : '';
  return (
    <>
      <div>
        <CopyButton text={SFTP_QUESTIONS} what="what to ask the partner" />
      </div>
      <ServerFields form={sftp} faults={faults} change={change}>
        <NativeSelect
          label="Log in with"
          value={sftp.login}
          data={[...LOGINS]}
          onChange={(event) => {
            const login = LOGINS.find(({ value }) => value === event.currentTarget.value)?.value;
            if (login !== undefined) change({ login, secret: '' });
          }}
        />
      </ServerFields>
      {sftp.login === 'password' ? (
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          placeholder={kept}
          value={sftp.secret}
          error={faults.password ?? null}
          onChange={(event) => change({ secret: event.currentTarget.value })}
        />
      ) : (
        <Textarea
          label="Private key"
          description="In the format of OpenSSH or PEM, without a passphrase."
          placeholder={kept}
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          value={sftp.secret}
          error={faults.private_key ?? null}
          onChange={(event) => change({ secret: event.currentTarget.value })}
        />
      )}
      <FolderFields form={sftp} faults={faults} change={change}>
        <TextInput
          label="Host key of the server"
          description="The key or its SHA-256 fingerprint. Documents are held until there is one."
          placeholder="SHA256:…"
          maxLength={4200}
          spellCheck={false}
          value={sftp.host_key}
          error={faults.host_key ?? null}
          onChange={(event) => change({ host_key: event.currentTarget.value })}
        />
      </FolderFields>
      <ConnectionCheck of={of} onConfirm={(host_key) => change({ host_key })} />
    </>
  );
}
