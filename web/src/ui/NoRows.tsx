import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from './States';

interface Props {
  offset: number;
  /** Of the whole list. */
  total: number;
  onBeginning: () => void;
  /** What is said where the list has no rows at all. */
  children: ReactNode;
}

/** A page of a list without rows: there are none, or an old address leads behind the last of them. */
export function NoRows({ offset, total, onBeginning, children }: Props) {
  return offset === 0 || total === 0 ? children : <BehindEnd onBeginning={onBeginning} />;
}

export function BehindEnd({ onBeginning }: { onBeginning: () => void }) {
  return (
    <EmptyState
      action={
        <Button variant="default" onClick={onBeginning}>
          Go to the first page
        </Button>
      }
    >
      The list ends before this page.
    </EmptyState>
  );
}
