import { PasswordInput, TextInput } from '@mantine/core';
import { FTPS_QUESTIONS, type FtpsForm } from '../../core/ftpsConnection';
import type { ConnectionForm } from '../../core/partnerConnection';
import { CopyButton } from '../../ui/CopyButton';
import { ConnectionCheck } from './ConnectionCheck';
import { FolderFields } from './FolderFields';
import { ServerFields } from './ServerFields';
import type { CheckedConnection } from './SftpFields';
import type { Faults } from './useSection';

interface Props {
  form: ConnectionForm;
  faults: Faults;
  of: CheckedConnection;
  onChange: (changed: Partial<ConnectionForm>) => void;
}

/** An FTPS connection: the server, its certificate, the login and the folders. */
export function FtpsFields({ form, faults, of, onChange }: Props) {
  const { ftps } = form;
  const change = (changed: Partial<FtpsForm>) => onChange({ ftps: { ...ftps, ...changed } });
  return (
    <>
      <div>
        <CopyButton text={FTPS_QUESTIONS} what="what to ask the partner" />
      </div>
      <ServerFields form={ftps} faults={faults} change={change}>
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          placeholder={ftps.isPasswordStored ? 'set; leave empty to keep' : ''}
          value={ftps.secret}
          error={faults.password ?? null}
          onChange={(event) => change({ secret: event.currentTarget.value })}
        />
      </ServerFields>
      <FolderFields form={ftps} faults={faults} change={change}>
        <TextInput
          label="Certificate of the server"
          description="Its SHA-256 fingerprint. Empty: the certificate must be of a public authority."
          placeholder="AB:CD:…"
          maxLength={95}
          spellCheck={false}
          value={ftps.certificate}
          error={faults.certificate ?? null}
          onChange={(event) => change({ certificate: event.currentTarget.value })}
        />
      </FolderFields>
      <ConnectionCheck of={of} onConfirm={(certificate) => change({ certificate })} />
    </>
  );
}
