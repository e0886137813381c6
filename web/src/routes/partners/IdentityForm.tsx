import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ErrorDetail } from '../../api/error';
import { typedSets } from '../../core/partners';
import { Panel } from '../../ui/Panel';
import { accountQuery } from '../account/api';
import classes from './partners.module.css';
import type { Partner } from './queries';
import { SectionForm } from './SectionForm';
import { type Faults, type Part, useSection } from './useSection';

interface Identity {
  name: string;
  isa_qualifier: string;
  isa_id: string;
  gs_id: string;
  own_identity_id: string;
  tx_sets: string;
  version: string;
  ack_type: string;
  ack_hours: string;
  industry: string;
  contact_email: string;
}

const ACK_TYPES = [
  { value: 'auto', label: '997 or 999, depending on the version' },
  { value: '997', label: '997' },
  { value: '999', label: '999' },
  { value: 'none', label: 'none' },
];

const FIELDS = [
  ...['name', 'isa_qualifier', 'isa_id', 'gs_id', 'own_identity_id', 'tx_sets', 'version'],
  ...['ack_type', 'ack_hours', 'industry', 'contact_email'],
];

function fieldOf(param: string): string {
  return param.replace(/\[.*$/, '');
}

const IDENTITY: Part<Identity> = {
  read: (partner) => ({
    ...{ name: partner.name, isa_qualifier: partner.isa_qualifier, isa_id: partner.isa_id },
    ...{ gs_id: partner.gs_id, version: partner.version, ack_type: partner.ack_type },
    ...{ industry: partner.industry, contact_email: partner.contact_email },
    own_identity_id: String(partner.own_identity_id ?? ''),
    tx_sets: partner.tx_sets.join(', '),
    ack_hours: String(partner.ack_hours),
  }),
  write: ({ own_identity_id, tx_sets, ack_hours, ...texts }) => ({
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])),
    own_identity_id: own_identity_id === '' ? null : Number(own_identity_id),
    tx_sets: typedSets(tx_sets),
    // What is no number is sent as it stands, for the service to say what is allowed.
    ack_hours: /^[0-9]{1,9}$/.test(ack_hours.trim()) ? Number(ack_hours) : ack_hours,
  }),
  check: ({ name }): Faults => (name.trim() === '' ? { name: 'Your name for the partner.' } : {}),
  facing: (details: readonly ErrorDetail[]) =>
    Object.fromEntries(
      details.flatMap(({ param = '', message }) =>
        FIELDS.includes(fieldOf(param)) ? [[fieldOf(param), message]] : [],
      ),
    ),
  saved: 'The identity of the partner was saved.',
};

/** Who the partner is in an envelope, and what is exchanged with it. */
export function IdentityForm({ partner }: { partner: Partner }) {
  const section = useSection(partner, IDENTITY);
  const { values, faults, change } = section;
  const field = (name: keyof Identity) => ({
    value: values[name],
    error: faults[name] ?? null,
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ [name]: event.currentTarget.value }),
  });
  return (
    <Panel title="Identity and agreement">
      <SectionForm label="Identity and agreement" section={section}>
        <TextInput label="Name" required maxLength={100} {...field('name')} />
        <div className={classes.grid}>
          <TextInput label="ISA qualifier" maxLength={2} {...field('isa_qualifier')} />
          <TextInput label="ISA id" maxLength={15} {...field('isa_id')} />
          <TextInput
            label="GS id"
            description="Empty: the same as the ISA id."
            maxLength={15}
            {...field('gs_id')}
          />
        </div>
        <OwnIdentity {...field('own_identity_id')} />
        <div className={classes.grid}>
          <TextInput
            label="Agreed sets"
            description="For example 850, 855, 997. Empty: every set."
            {...field('tx_sets')}
          />
          <TextInput
            label="Version"
            description="GS08 of sent documents, for example 004010."
            maxLength={12}
            {...field('version')}
          />
        </div>
        <div className={classes.grid}>
          <NativeSelect
            label="Acknowledgement"
            description="The type that is sent and expected."
            data={ACK_TYPES}
            {...field('ack_type')}
          />
          <TextInput
            label="Hours until it is overdue"
            inputMode="numeric"
            maxLength={9}
            {...field('ack_hours')}
          />
        </div>
        <div className={classes.grid}>
          <TextInput label="Industry" maxLength={100} {...field('industry')} />
          <TextInput label="Contact e-mail" maxLength={254} {...field('contact_email')} />
        </div>
      </SectionForm>
    </Panel>
  );
}

interface OwnProps {
  value: string;
  error: string | null;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

/** Who we are towards the partner; worth a question only where there are several. */
function OwnIdentity(props: OwnProps) {
  const account = useQuery(accountQuery);
  const identities = account.data?.identities ?? [];
  if (identities.length < 2 && props.value === '') return null;
  return (
    <NativeSelect
      label="Your identity"
      description="Your sender identity towards the partner."
      maw={420}
      data={[
        { value: '', label: 'the first identity of your account' },
        ...identities.map(({ id, qualifier, isa_id }) => ({
          ...{ value: String(id), label: `${qualifier}/${isa_id}` },
        })),
      ]}
      {...props}
    />
  );
}
