import { Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './Page.module.css';
import { UnreadAddress } from './UnreadAddress';

interface Props {
  title: string;
  actions?: ReactNode;
  /** One line under the title: what the page is for. */
  intro?: ReactNode;
  children: ReactNode;
}

/** The frame of every page: its one h1, its actions, and the title of the browser's tab. */
export function Page({ title, actions, intro, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Longshore`;
  }, [title]);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={1}>{title}</Title>
          {intro !== undefined && <p className={classes.intro}>{intro}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      <UnreadAddress />
      {children}
    </div>
  );
}
