import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import classes from './ListInWords.module.css';
import { VisibleText } from './VisibleText';

interface Props {
  items: readonly string[];
  /** How many are shown at first. */
  most: number;
  /** What they are, for screen readers: `sets`. */
  what: string;
}

/** A list in one line; what is too much for it opens. */
export function ListInWords({ items, most, what }: Props) {
  const [isOpen, setOpen] = useState(false);
  const rest = items.length - most;
  return (
    <>
      <VisibleText text={items.slice(0, isOpen ? items.length : most).join(', ')} />
      {rest > 0 && (
        <>
          {' '}
          <UnstyledButton
            className={classes.more}
            aria-expanded={isOpen}
            aria-label={isOpen ? `Show fewer ${what}` : `Show ${rest} more ${what}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'show fewer' : `and ${rest} more`}
          </UnstyledButton>
        </>
      )}
    </>
  );
}
