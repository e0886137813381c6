import { errorsInWords, outcomeInWords, placeOfAckError } from '../../core/ackWords';
import { TextLink } from '../../ui/TextLink';
import { VisibleText } from '../../ui/VisibleText';
import { nameOf } from '../transactions/TransactionTable';
import classes from './Acks.module.css';
import { ClaimList } from './ClaimList';
import { OurPlace } from './OurPlace';
import type { Ack } from './queries';

type AckError = Ack['errors'][number];

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
          ` ${ack.sets_accepted ?? 0} of ${ack.sets_received} sets of its group were accepted.`}
      </p>
      {doubts.map((doubt) => (
        <p key={doubt}>{doubt}</p>
      ))}
      <ClaimList ack={ack} />
      {ack.errors.length > 0 && (
        <ol className={classes.ackErrors} aria-label="Reported errors">
          {ack.errors.map((ackError, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes
            <li key={index}>
              <AckErrorText ackError={ackError} ack={ack} />
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
            Open the original acknowledgement
          </TextLink>
        )}
      </p>
    </div>
  );
}

function AckErrorText({ ackError, ack }: { ackError: AckError; ack: Ack }) {
  const { code, code_meaning, bad_value, our_value, our_path, our_rule, hint, message } = ackError;
  return (
    <>
      <strong>
        {code_meaning === '' ? 'Error' : code_meaning} ({code})
      </strong>{' '}
      <span className={classes.place}>
        <VisibleText text={placeOfAckError(ackError)} />
      </span>
      {message !== '' && (
        <p>
          <VisibleText text={message} />
        </p>
      )}
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
              , set by rule <code>{our_rule}</code> of the map
            </>
          )}
          .
        </p>
      )}
      {bad_value !== '' && bad_value !== our_value && (
        <p>
          The value in the acknowledgement:{' '}
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

/** What makes somebody look twice, each in one sentence. */
function doubtsOf({ direction, matched, weak_match, ambiguous, conflict }: Ack): string[] {
  const doubts: [boolean, string][] = [
    [direction === 'inbound' && !matched, 'It matches no document sent from this account.'],
    [weak_match, 'Its GS02 and GS03 differ from the document it answers.'],
    [ambiguous, 'It is ambiguous or incomplete: it may also refer to another document.'],
    [
      conflict,
      'It contradicts an earlier acknowledgement; the timeline of the transaction shows both.',
    ],
  ];
  return doubts.filter(([holds]) => holds).map(([, words]) => words);
}
