import { TextLink } from '../../ui/TextLink';
import { VisibleText } from '../../ui/VisibleText';
import classes from './Transactions.module.css';

interface Props {
  /** Of each transaction what became of it. */
  outcomes: readonly { id: number; name: string; became: string }[];
}

/** What became of several transactions, one by one. */
export function OutcomeList({ outcomes }: Props) {
  if (outcomes.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="What became of them">
      {outcomes.map(({ id, name, became }) => (
        <li key={id}>
          <span>
            <TextLink to="/app/transactions/$transactionId" params={{ transactionId: String(id) }}>
              <VisibleText text={name} />
            </TextLink>
            : {became}
          </span>
        </li>
      ))}
    </ul>
  );
}
