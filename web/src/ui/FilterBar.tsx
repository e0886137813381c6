import { Button } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import classes from './FilterBar.module.css';
import { Icon } from './Icon';

interface Props {
  /** As the address has them; undefined: not narrowed. */
  filters: object;
  onClear: () => void;
  /** The fields. */
  children: ReactNode;
}

/** What a list is narrowed by, and the way back to all of it. */
export function FilterBar({ filters, onClear, children }: Props) {
  const [clearings, setClearings] = useState(0);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <search className={classes.bar}>
      {/* New fields: what one has refused stands in no filter, and would stay. */}
      <Fragment key={clearings}>{children}</Fragment>
      {isFiltered && (
        <Button
          variant="default"
          onClick={() => {
            setClearings(clearings + 1);
            onClear();
          }}
          leftSection={<Icon name="close" size={14} />}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** The widths of fields in it. */
export const WIDTHS = {
  wide: classes.wide,
  medium: classes.medium,
  narrow: classes.narrow,
} as const;
