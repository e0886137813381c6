import { claimsInWords } from '../../core/ackWords';
import { VisibleText } from '../../ui/VisibleText';
import classes from './Acks.module.css';
import { OurPlace } from './OurPlace';
import type { Ack } from './queries';

type AckClaim = Ack['claims'][number];
type Answered = Pick<Ack, 'claims' | 'claim_counts' | 'matched' | 'transaction_id'>;

/** The claims in a 277CA, the rejected ones first; nothing for other acknowledgements. */
export function ClaimList({ ack }: { ack: Answered }) {
  if (ack.claim_counts === null) return null;
  return (
    <>
      <p>{claimsInWords(ack.claim_counts)}</p>
      {ack.claims.length > 0 && (
        <ol className={classes.ackErrors} aria-label="Answered claims">
          {ack.claims.map((claim, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes
            <li key={index}>
              <AckClaimText claim={claim} ack={ack} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const CLAIM_RESULTS = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  unclear: 'No clear result',
} as const;

function AckClaimText({ claim, ack }: { claim: AckClaim; ack: Answered }) {
  const { claim_number, result, category, category_meaning, code, reason, our_path } = claim;
  return (
    <>
      <strong>
        {CLAIM_RESULTS[result]}: claim <VisibleText text={claim_number} />
      </strong>{' '}
      <span className={classes.place}>
        <VisibleText text={[category, code].filter((each) => each !== '').join(', code ')} />
        {category_meaning !== '' && ` (${category_meaning})`}
      </span>
      {reason !== '' && (
        <p>
          <VisibleText text={reason} />
        </p>
      )}
      {our_path === '' ? (
        ack.matched && <p>Our document has no such claim.</p>
      ) : (
        <p>
          In our document: <OurPlace path={our_path} transactionId={ack.transaction_id} />.
        </p>
      )}
    </>
  );
}
