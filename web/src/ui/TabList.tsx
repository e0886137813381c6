import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './TabList.module.css';

/** The tabs of a page on one line; where it is narrow they scroll, and the chosen one is in view. */
export function TabList({ children }: { children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected="true"]');
    if (!list.current || !(chosen instanceof HTMLElement)) return;
    // Not scrollIntoView: it would scroll the page as well.
    list.current.scrollLeft = chosen.offsetLeft + chosen.offsetWidth - list.current.clientWidth;
  }, []);
  return (
    <Tabs.List ref={list} className={classes.list}>
      {children}
    </Tabs.List>
  );
}
