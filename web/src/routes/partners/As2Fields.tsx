import { Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import {
  type As2Form,
  ENCRYPT_ALGORITHMS,
  MDN_MODES,
  SIGN_ALGORITHMS,
} from '../../core/as2Connection';
import type { ConnectionForm } from '../../core/partnerConnection';
import { As2Profile } from './As2Profile';
import { ConnectionCheck } from './ConnectionCheck';
import { ImportProfile } from './ImportProfile';
import classes from './partners.module.css';
import type { CheckedConnection } from './SftpFields';
import type { Faults } from './useSection';

interface Props {
  form: ConnectionForm;
  faults: Faults;
  /** Whether the page shows the environment of the connection. */
  isShown: boolean;
  of: CheckedConnection;
  onChange: (changed: Partial<ConnectionForm>) => void;
}

/** An AS2 connection: both names, the partner's certificates, and what is agreed. */
export function As2Fields({ form, faults, isShown, of, onChange }: Props) {
  const { as2 } = form;
  const change = (changed: Partial<As2Form>) => onChange({ as2: { ...as2, ...changed } });
  return (
    <>
      <ImportProfile form={as2} environment={of.environment} onChange={onChange} />
      <div className={classes.grid}>
        <TextInput
          label="Your AS2 name"
          required
          maxLength={128}
          value={as2.as2_from}
          error={faults.as2_from ?? null}
          onChange={(event) => change({ as2_from: event.currentTarget.value })}
        />
        <TextInput
          label="AS2 name of the partner"
          required
          maxLength={128}
          value={as2.as2_to}
          error={faults.as2_to ?? null}
          onChange={(event) => change({ as2_to: event.currentTarget.value })}
        />
      </div>
      <TextInput
        type="url"
        label="AS2 URL of the partner"
        placeholder="https://edi.example.com/as2"
        required
        maxLength={2000}
        value={form.url}
        error={faults.url ?? null}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <Textarea
        label="Certificates of the partner"
        description="In PEM. Two while it replaces one: messages are encrypted for the first, and signatures of both are accepted."
        placeholder="-----BEGIN CERTIFICATE-----"
        autosize
        minRows={4}
        maxRows={10}
        spellCheck={false}
        value={as2.certificates}
        error={faults.certificates ?? null}
        onChange={(event) => change({ certificates: event.currentTarget.value })}
      />
      <Text size="sm" fw={600}>
        Agreed for both directions
      </Text>
      <div className={classes.grid}>
        <Checkbox
          label="Messages are signed"
          checked={as2.sign}
          onChange={(event) => change({ sign: event.currentTarget.checked })}
        />
        <Checkbox
          label="Messages are encrypted"
          checked={as2.encrypt}
          onChange={(event) => change({ encrypt: event.currentTarget.checked })}
        />
      </div>
      <div className={classes.grid}>
        <NativeSelect
          label="Signature"
          value={as2.sign_algorithm}
          data={[...SIGN_ALGORITHMS]}
          error={faults.sign_algorithm ?? null}
          onChange={(event) => change({ sign_algorithm: event.currentTarget.value })}
        />
        <NativeSelect
          label="Encryption"
          value={as2.encrypt_algorithm}
          data={[...ENCRYPT_ALGORITHMS]}
          error={faults.encrypt_algorithm ?? null}
          onChange={(event) => change({ encrypt_algorithm: event.currentTarget.value })}
        />
        <NativeSelect
          label="Receipt (MDN)"
          value={as2.mdn}
          data={[...MDN_MODES]}
          error={faults.mdn ?? null}
          onChange={(event) => change({ mdn: event.currentTarget.value })}
        />
        <TextInput
          label="Content type"
          maxLength={160}
          value={as2.content_type}
          error={faults.content_type ?? null}
          onChange={(event) => change({ content_type: event.currentTarget.value })}
        />
      </div>
      <div className={classes.grid}>
        <Checkbox
          label="Receipts are signed"
          checked={as2.mdn_signed}
          disabled={as2.mdn === 'none'}
          onChange={(event) => change({ mdn_signed: event.currentTarget.checked })}
        />
        <Checkbox
          label="Compress what is sent"
          checked={as2.compress}
          onChange={(event) => change({ compress: event.currentTarget.checked })}
        />
        <Checkbox
          label="RSA-OAEP for the content key"
          checked={as2.oaep}
          onChange={(event) => change({ oaep: event.currentTarget.checked })}
        />
        <Checkbox
          label="Send the payload in base64"
          checked={as2.transfer_encoding === 'base64'}
          onChange={(event) =>
            change({ transfer_encoding: event.currentTarget.checked ? 'base64' : 'binary' })
          }
        />
      </div>
      {isShown && as2.as2_from.trim() !== '' && <As2Profile name={as2.as2_from.trim()} />}
      <ConnectionCheck of={of} />
    </>
  );
}
