import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { DECISIONS } from '../../core/decisionWords';
import { type Decision, reasonInWords } from '../../core/interchangeWords';
import { counted } from '../../core/treeWords';
import { DangerButton } from '../../ui/DangerButton';
import { notifyDone } from '../../ui/notify';
import { RefusalText } from '../../ui/RefusalText';
import { useSubmission } from '../../ui/useSubmission';
import classes from './Interchanges.module.css';
import { PartnerChoice } from './PartnerChoice';
import { type Decided, decide, type Interchange, interchangesChanged } from './queries';

interface Props {
  decision: Decision;
  of: readonly Interchange[];
  onClose: () => void;
  /** Several are decided one after the other, and each has its own outcome. */
  onMany: (decided: Decided) => void;
}

const MAX_REASON_CHARS = 500;

/** Why it is decided so, and what else the decision needs. */
export function DecisionForm({ decision, of, onClose, onMany }: Props) {
  const { verb, done, what } = DECISIONS[decision];
  const [decided, setDecided] = useState<Decided>({ decision, reason: '' });
  const [faults, setFaults] = useState<Faults>({ reason: '', partner: '' });
  const { busy, refusal, left, run } = useSubmission();
  const [only] = of;
  const change = (changed: Partial<Decided>) => setDecided((now) => ({ ...now, ...changed }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(decided, of);
    setFaults(found);
    if (found.reason !== '' || found.partner !== '' || only === undefined) return;
    if (of.length > 1) return onMany(decided);
    void run(async () => {
      await decide(only.id, decided);
      // First, so that the focus does not return to a button that is about to go.
      await interchangesChanged();
      notifyDone(`Interchange ${only.id} is ${done}.`);
      onClose();
    });
  };
  const Confirm = decision === 'discard' ? DangerButton : Button;
  return (
    <form onSubmit={submit} aria-label={verb} noValidate>
      <Stack gap="lg">
        <Text>{what[of.length === 1 ? 0 : 1]}</Text>
        {decision === 'discard' && <Lost of={of} />}
        {decision === 'release' && (
          <>
            <UnreadableWarning of={of} />
            <PartnerChoice
              of={of}
              value={decided.partnerId}
              onChange={(partnerId) => change({ partnerId })}
              fault={faults.partner}
            />
          </>
        )}
        {decision === 'replay' && (
          <Checkbox
            label="Send acknowledgements again"
            description="Without it, nothing is sent to the partner."
            checked={decided.acknowledge ?? false}
            onChange={(event) => change({ acknowledge: event.currentTarget.checked })}
          />
        )}
        <TextInput
          label="Reason"
          description="Shown in the timeline and the audit log."
          value={decided.reason}
          maxLength={MAX_REASON_CHARS}
          data-autofocus
          error={faults.reason}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
        <RefusalText refusal={refusal} left={left} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Confirm type="submit" loading={busy} disabled={left > 0}>
            {verb}
          </Confirm>
        </div>
      </Stack>
    </form>
  );
}

interface Faults {
  reason: string;
  partner: string;
}

function faultsOf({ decision, reason, partnerId }: Decided, of: readonly Interchange[]): Faults {
  const hasUnknownPartner = of.some(({ partner_id }) => partner_id === null);
  const needsPartner = decision === 'release' && hasUnknownPartner && partnerId === undefined;
  return {
    reason: reason.trim() === '' ? 'Enter a reason.' : '',
    partner: needsPartner ? 'Choose the partner.' : '',
  };
}

/** Says so where releasing changes nothing. */
function UnreadableWarning({ of }: { of: readonly Interchange[] }) {
  if (!of.some(({ reason }) => reasonInWords(reason)?.releaseHelps === false)) return null;
  return (
    <Text c="var(--ls-warn)">
      {of.length === 1 ? 'It' : 'Some of them'} could not be read and will return to quarantine.
    </Text>
  );
}

/** Names what is discarded, so that it is the right one. */
function Lost({ of }: { of: readonly Interchange[] }) {
  return (
    <ul className={classes.discarded} aria-label="Interchanges to discard">
      {of.map(({ id, isa_control_number: number, transaction_ids: records }) => (
        <li key={id}>
          Interchange {id}
          {number !== '' && `, ISA13 ${number}`}, {counted(records.length, 'transaction')}
        </li>
      ))}
    </ul>
  );
}
