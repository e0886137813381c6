import type { ReactNode } from 'react';
import classes from './Panel.module.css';

interface Props {
  /** Names the region for screen readers and heads it. */
  title?: string;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}

/** A bordered area of a page. */
export function Panel({ title, actions, flush = false, children }: Props) {
  const label = title === undefined ? {} : { 'aria-label': title };
  return (
    <section {...label} className={classes.panel}>
      {title !== undefined && (
        <div className={classes.head}>
          <h2 className={classes.title}>{title}</h2>
          {actions}
        </div>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
