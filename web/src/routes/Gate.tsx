import { Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './Gate.module.css';

/** The frame of the pages before anybody is logged in. */
export function Gate({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Longshore`;
  }, [title]);
  return (
    <main className={classes.gate}>
      <div className={classes.brand}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={28} height={28} /> Longshore
      </div>
      <div className={classes.card}>
        <Title order={1}>{title}</Title>
        {children}
      </div>
      <div id="overlays" />
    </main>
  );
}
