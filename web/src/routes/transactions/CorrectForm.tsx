import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import type { ApiError } from '../../api/error';
import { fromEditing } from '../../core/editedText';
import { counted } from '../../core/treeWords';
import { CopyButton } from '../../ui/CopyButton';
import { FaultList } from '../../ui/FaultList';
import { Icon } from '../../ui/Icon';
import { notifyDone } from '../../ui/notify';
import { RefusalText } from '../../ui/RefusalText';
import { TextLink } from '../../ui/TextLink';
import { useSubmission } from '../../ui/useSubmission';
import classes from './Correct.module.css';
import { activeReplacementIn, newKey, orderOf, submitCorrection } from './correcting';
import { laterQuery } from './detail';
import { partnerNamesQuery, type Transaction, transactionsStale } from './queries';
import { RecordLink, useSuccessor } from './Successor';

const WARNING = 'before-sending';

interface Props {
  record: Transaction;
  text: string;
  terminator: string;
  /** Errors that validation finds in the text; null while nobody knows. */
  errors: number | null;
  /** What whoever sends should know; empty: nothing. */
  warning: string;
  /** Why the text must not be sent; empty: it may. */
  obstacle: string;
}

/** The partner, the reason, and the button that hands the corrected document in. */
export function CorrectForm(props: Props) {
  const { record, text, terminator, errors, warning, obstacle } = props;
  const [partner, setPartner] = useState(String(record.partner_id ?? ''));
  const [txSet, setTxSet] = useState(record.tx_set);
  const [reason, setReason] = useState('');
  const [override, setOverride] = useState(false);
  const { busy, refusal, left, activeReplacement, send } = useSending(record);
  const another = useAnother(record, activeReplacement);
  const isInbound = record.direction === 'inbound';
  const content = fromEditing({ text, terminator });
  const needsConfirmation = !isInbound && (errors ?? 0) > 0;
  const isConfirmed = (!needsConfirmation || override) && !another.needsConfirmation;
  const isReady = isConfirmed && left === 0 && partner !== '' && txSet !== '' && obstacle === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send({
      ...{ content, reason, txSet },
      partnerId: Number(partner),
      override: override && needsConfirmation,
      supersedes: another.overridden,
    });
  };
  return (
    <form className={classes.form} aria-label="Send corrected document" onSubmit={submit}>
      <PartnerAndSet
        record={record}
        partner={partner}
        onPartner={setPartner}
        txSet={txSet}
        onTxSet={setTxSet}
      />
      <TextInput
        label="Reason (optional)"
        description="Shown in the audit log."
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {needsConfirmation && (
        <Checkbox
          label={`Send it despite ${counted(errors ?? 0, 'error')}`}
          checked={override}
          onChange={(event) => setOverride(event.currentTarget.checked)}
        />
      )}
      {another.checkbox}
      <Refused refusal={refusal} left={left} content={content} />
      <SendButton warning={obstacle || warning} busy={busy} isReady={isReady}>
        {isInbound ? 'Submit corrected document' : 'Send corrected document'}
      </SendButton>
    </form>
  );
}

interface SendProps {
  /** What to know before; empty: nothing. */
  warning: string;
  busy: boolean;
  isReady: boolean;
  children: string;
}

function SendButton({ warning, busy, isReady, children }: SendProps) {
  return (
    <>
      {warning !== '' && (
        <p id={WARNING} className={classes.warning}>
          <Icon name="alert" size={14} /> {warning}
        </p>
      )}
      <Button
        type="submit"
        {...(warning !== '' && { 'aria-describedby': WARNING })}
        loading={busy}
        disabled={!isReady}
      >
        {children}
      </Button>
    </>
  );
}

/**
 * Where something stands in the place of a record, another one is sent only if somebody says so.
 * `refused`: what the server named, which may be made of a relative of the record.
 */
function useAnother(record: Transaction, refused: number | null) {
  const { successor } = useSuccessor(record);
  // Of which it was said: what comes meanwhile is another one.
  const [named, setNamed] = useState<number | null>(null);
  const newest = Math.max(successor?.id ?? 0, refused ?? 0);
  const activeReplacement = newest > 0 ? newest : null;
  const overridden = activeReplacement === named ? named : null;
  const checkbox = activeReplacement !== null && (
    <div>
      <Checkbox
        label={`Send another one although ${activeReplacement} is active`}
        checked={overridden !== null}
        onChange={(event) => setNamed(event.currentTarget.checked ? activeReplacement : null)}
      />
      <p className={classes.about}>
        Check transaction <RecordLink id={activeReplacement} /> first.
      </p>
    </div>
  );
  return { overridden, needsConfirmation: overridden !== activeReplacement, checkbox };
}

interface RefusedProps {
  refusal: ApiError | null;
  left: number;
  /** The document that was to be sent. */
  content: string;
}

/** Why it was not sent; and if there is nothing any more that it could correct, what to do. */
function Refused({ refusal, left, content }: RefusedProps) {
  return (
    <>
      <RefusalText refusal={refusal} left={left} />
      {refusal?.code !== 'invalid_state' && <FaultList error={refusal} />}
      {refusal?.code === 'not_found' && <Gone content={content} />}
    </>
  );
}

function Gone({ content }: { content: string }) {
  return (
    <div className={classes.became}>
      <p className={classes.none}>
        It was deleted while this page was open, so nothing was sent. Your text exists only on this
        page: copy it before you leave, and submit it again from the system that created it.
      </p>
      <CopyButton text={content} what="text" />
      <TextLink to="/app/transactions">All transactions</TextLink>
    </div>
  );
}

/** Nothing is lost by leaving. */
const SENT = { ignoreBlocker: true };

type Correction = Parameters<typeof orderOf>[1];

/**
 * Hands in an order once: the same one again has the same key, and the server sends it once.
 * `standing`: what stood in the place of the record when it was refused for that.
 */
function useSending(record: Transaction) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { busy, refusal, left, run } = useSubmission();
  const last = useRef({ order: '', key: '' });
  const [activeReplacement, setActiveReplacement] = useState<number | null>(null);
  const send = (correction: Correction) => {
    const order = orderOf(record, correction);
    const body = JSON.stringify(order);
    if (last.current.order !== body) last.current = { order: body, key: newKey() };
    const work = async () => {
      const answer = await submitCorrection(order, last.current.key);
      await transactionsStale(queries);
      const id = answer.transaction_id;
      notifyDone(
        answer.duplicate
          ? 'It is a duplicate: its control number was used before.'
          : 'The corrected document was submitted. This is the new transaction.',
      );
      await (id === null
        ? navigate({ to: '/app/transactions', ...SENT })
        : navigate({
            to: '/app/transactions/$transactionId',
            params: { transactionId: String(id) },
            search: { tab: 'compare', with: record.id },
            ...SENT,
          }));
    };
    void run(work, (refused) => {
      // Somebody else was quicker: which one stands there is shown, and has to be overruled.
      setActiveReplacement((before) => activeReplacementIn(refused) ?? before);
      if (refused.code === 'invalid_state') void queries.invalidateQueries(laterQuery(record));
      return false;
    });
  };
  return { busy, refusal, left, activeReplacement, send };
}

interface WhomProps {
  record: Transaction;
  partner: string;
  onPartner: (partner: string) => void;
  txSet: string;
  onTxSet: (txSet: string) => void;
}

/** Asked for only where the record does not say them. */
function PartnerAndSet({ record, partner, onPartner, txSet, onTxSet }: WhomProps) {
  const partners = useQuery(partnerNamesQuery);
  return (
    <>
      {record.partner_id === null && (
        <NativeSelect
          label="Partner"
          value={partner}
          data={[{ value: '', label: 'choose' }, ...(partners.data ?? [])]}
          onChange={(event) => onPartner(event.currentTarget.value)}
        />
      )}
      {record.tx_set === '' && (
        <TextInput
          label="Transaction set"
          description="The value of ST01, for example 850."
          value={txSet}
          maxLength={15}
          onChange={(event) => onTxSet(event.currentTarget.value.trim())}
        />
      )}
    </>
  );
}
