import { Link } from '@tanstack/react-router';
import classes from './Overview.module.css';

interface Props {
  to: '/app/maps' | '/app/vault' | '/app/keys';
  name: string;
  query: { isError: boolean };
  /** A number, or words for one; undefined while it is not known. */
  count: string | undefined;
}

/** A number and what it counts; an unknown number is not shown as zero. */
export function Figure({ to, name, query, count }: Props) {
  return (
    <li>
      <Link to={to} className={classes.figure}>
        <span className={classes.count} aria-busy={count === undefined && !query.isError}>
          {count === undefined ? (query.isError ? 'unknown' : '…') : count}
        </span>
        <span className={classes.counted}>{name}</span>
      </Link>
    </li>
  );
}
