import { errorsInWords, outcomeInWords, placeOfComplaint } from '../../core/ackWords';
import { TextLink } from '../../ui/TextLink';
import { VisibleText } from '../../ui/VisibleText';
import { nameOf } from '../transactions/TransactionTable';
import classes from './Acks.module.css';
import type { Ack } from './queries';

type Complaint = Ack['errors'][number];

/** All that an acknowledgement says, and what makes it doubtful. */
export function AckDetail({ ack }: { ack: Ack }) {
  const outcome = outcomeInWords(ack);
  const codes = errorsInWords(ack);
  const doubts = doubtsOf(ack);
  const { business_key } = ack;
  return (
    <div className={classes.said}>
      <p>
        {outcome === '' ? 'It lists no result for the set.' : `Result of the set: ${outcome}.`}
        {codes.length > 0 && ` Codes: ${codes.join('; ')}.`}
        {ack.sets_received !== null &&
          ` Of its group ${ack.sets_accepted ?? 0} of ${ack.sets_received} sets are accepted.`}
      </p>
      {doubts.map((doubt) => (
        <p key={doubt}>{doubt}</p>
      ))}
      {ack.errors.length > 0 && (
        <ol className={classes.complaints} aria-label="Complaints">
          {ack.errors.map((complaint, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes
            <li key={index}>
              <ComplaintWords complaint={complaint} ack={ack} />
            </li>
          ))}
        </ol>
      )}
      <p>
        {ack.transaction_id !== null && (
          <>
            <TextLink
              to="/app/transactions/$transactionId"
              params={{ transactionId: String(ack.transaction_id) }}
            >
              Open transaction{' '}
              <VisibleText text={nameOf({ id: ack.transaction_id, business_key })} />
            </TextLink>{' '}
          </>
        )}
        {ack.doc_id !== null && (
          <TextLink to="/app/vault/$docId" params={{ docId: String(ack.doc_id) }}>
            Open the acknowledgement as it came
          </TextLink>
        )}
      </p>
    </div>
  );
}

function ComplaintWords({ complaint, ack }: { complaint: Complaint; ack: Ack }) {
  const { code, code_meaning, bad_value, our_value, our_path, our_rule, hint } = complaint;
  return (
    <>
      <strong>
        {code_meaning === '' ? 'Fault' : code_meaning} ({code})
      </strong>{' '}
      <span className={classes.place}>
        <VisibleText text={placeOfComplaint(complaint)} />
      </span>
      {our_path !== '' && (
        <p>
          In our document: <OurPlace path={our_path} transactionId={ack.transaction_id} />
          {our_value !== '' && (
            <>
              {' '}
              has the value{' '}
              <code>
                <VisibleText text={our_value} />
              </code>
            </>
          )}
          {our_rule !== '' && (
            <>
              , written by rule <code>{our_rule}</code> of the map
            </>
          )}
          .
        </p>
      )}
      {bad_value !== '' && bad_value !== our_value && (
        <p>
          The value as they have it:{' '}
          <code>
            <VisibleText text={bad_value} />
          </code>
        </p>
      )}
      {hint !== '' && (
        <p>
          <VisibleText text={hint} />
        </p>
      )}
    </>
  );
}

function OurPlace({ path, transactionId }: { path: string; transactionId: number | null }) {
  if (transactionId === null) return <code>{path}</code>;
  return (
    <TextLink
      to="/app/transactions/$transactionId"
      params={{ transactionId: String(transactionId) }}
      search={{ tab: 'raw', at: path }}
    >
      {path}
    </TextLink>
  );
}

/** What makes somebody look twice, each in one sentence. */
function doubtsOf({ direction, matched, weak_match, ambiguous, conflict }: Ack): string[] {
  const doubts: [boolean, string][] = [
    [direction === 'inbound' && !matched, 'It answers nothing that was sent from here.'],
    [weak_match, 'Its GS02 and GS03 are not those of what it answers.'],
    [ambiguous, 'It may mean another document too, or does not say all.'],
    [
      conflict,
      'The partner had answered otherwise before; the timeline of the transaction has both.',
    ],
  ];
  return doubts.filter(([holds]) => holds).map(([, words]) => words);
}
