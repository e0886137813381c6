import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  type Checked,
  type CheckedSet,
  codesWords,
  definitionWords,
  OUTCOME_WORDS,
} from '../core/checked';
import classes from './CheckedSets.module.css';
import { StatusBadge } from './StatusBadge';
import { VisibleText } from './VisibleText';

const AT_ONCE = 5;

interface Props {
  /** The first set, or the only one. */
  first: Checked;
  sets: readonly CheckedSet[];
  /** How many sets the document has; the answer may name fewer. */
  count: number;
}

/** What was checked: of the only set in words, of several the outcome of each. */
export function CheckedSets({ first, sets, count }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (sets.length <= 1) return <CheckedWords of={sets[0] ?? first} />;
  const shown = isOpen ? sets : sets.slice(0, AT_ONCE);
  return (
    <div className={classes.sets}>
      <ul aria-label="Outcome of each set">
        {shown.map((set) => (
          <li key={set.index}>
            <StatusBadge tone={OUTCOME_WORDS[set.outcome].tone}>
              {OUTCOME_WORDS[set.outcome].word}
            </StatusBadge>
            <span>
              <VisibleText text={`${set.index}. ${set.tx_set} ${set.control_number}`} />
            </span>
            <CheckedWords of={set} />
          </li>
        ))}
      </ul>
      {sets.length > shown.length && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
          Show {(sets.length - shown.length).toLocaleString('en')} more of{' '}
          {count.toLocaleString('en')}
        </Button>
      )}
      {isOpen && count > sets.length && (
        <p>
          The first {sets.length.toLocaleString('en')} of {count.toLocaleString('en')} sets are
          listed.
        </p>
      )}
    </div>
  );
}

/** What one set was checked against; the code lists that were not checked open. */
export function CheckedWords({ of }: { of: Checked }) {
  const [isOpen, setOpen] = useState(false);
  const definition = definitionWords(of);
  const open = of.codes_checked.not_enforced;
  if (definition === '' && open.length === 0) return null;
  return (
    <div className={classes.words}>
      {definition !== '' && (
        <p>
          <VisibleText text={definition} />
        </p>
      )}
      {open.length > 0 && (
        <p>
          {isOpen
            ? codesWords(open)
            : `Code lists of ${open.length} of ${open.length + of.codes_checked.enforced.length} elements not checked.`}{' '}
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Show fewer' : 'Show which'}
          </button>
        </p>
      )}
    </div>
  );
}
