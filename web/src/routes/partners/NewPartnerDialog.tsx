import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { ApiError } from '../../api/error';
import { typedSets } from '../../core/partners';
import { fieldFaults, focusFault, RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import { addPartnerText } from './changes';
import classes from './partners.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Adds a partner and goes on to its set-up. */
export function NewPartnerDialog({ opened, onClose }: Props) {
  return (
    // Always there, so that the focus goes back to what opened it.
    <Modal opened={opened} onClose={onClose} title="New partner" size="lg">
      <NewPartnerForm onCancel={onClose} />
    </Modal>
  );
}

const FIRST = {
  ...{ name: '', isa_qualifier: 'ZZ', isa_id: '', gs_id: '', tx_sets: '', version: '004010' },
};
const FIELDS = Object.keys(FIRST);

function NewPartnerForm({ onCancel }: { onCancel: () => void }) {
  const navigate = useNavigate();
  const { busy, refusal, left, run } = useSubmission();
  const form = useForm({
    initialValues: FIRST,
    validate: {
      name: (name) => (name.trim() === '' ? 'For example the company name.' : null),
    },
  });
  const refused = (error: ApiError) => {
    const faults = fieldFaults(error, FIELDS);
    form.setErrors(faults);
    focusFault(form, faults);
    return Object.keys(faults).length > 0;
  };
  const submit = form.onSubmit(
    ({ name, tx_sets, ...others }) =>
      run(async () => {
        const agreed = { ...trimmed(others), name: name.trim(), tx_sets: typedSets(tx_sets) };
        const partner = await addPartnerText(JSON.stringify(agreed));
        await navigate({
          to: '/app/partners/$partnerId',
          params: { partnerId: String(partner.id) },
        });
      }, refused),
    (faults) => focusFault(form, faults),
  );
  return (
    <form onSubmit={submit} aria-label="New partner" noValidate>
      <Stack gap="lg">
        <TextInput
          label="Name"
          maxLength={100}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <div className={classes.grid}>
          <TextInput
            label="ISA qualifier"
            description="Two characters; ZZ means mutually defined."
            maxLength={2}
            {...form.getInputProps('isa_qualifier')}
          />
          <TextInput
            label="ISA id"
            description="Ask the partner for it. You can add it later."
            maxLength={15}
            {...form.getInputProps('isa_id')}
          />
          <TextInput
            label="GS id"
            description="Empty: the same as the ISA id."
            maxLength={15}
            {...form.getInputProps('gs_id')}
          />
        </div>
        <div className={classes.grid}>
          <TextInput
            label="Agreed sets"
            description="For example 850, 855, 997. Empty: every set."
            {...form.getInputProps('tx_sets')}
          />
          <TextInput
            label="Version"
            description="GS08 of sent documents, for example 004010."
            maxLength={12}
            {...form.getInputProps('version')}
          />
        </div>
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={left > 0}>
            Create partner
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function trimmed(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
}
