import type { ReactNode } from 'react';
import classes from './Facts.module.css';

/** What is known of one thing: names and values side by side, as many in a line as fit. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

/** A name and what is known under it; stands in `Facts`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
