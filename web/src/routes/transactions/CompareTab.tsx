import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { forEditing } from '../../core/editedText';
import { sideBySide } from '../../core/sideBySide';
import { counted } from '../../core/treeWords';
import { Panel } from '../../ui/Panel';
import { QueryState } from '../../ui/States';
import { VisibleText } from '../../ui/VisibleText';
import { type Content, contentQuery } from './content';
import classes from './Detail.module.css';
import type { Transaction } from './queries';

const MOST_ROWS = 2000;

/** What a record was corrected or issued anew from, beside it. */
export function CompareTab({ record, parentId }: { record: Transaction; parentId: number }) {
  const before = useQuery(contentQuery(parentId));
  const after = useQuery(contentQuery(record.id));
  return (
    <QueryState query={before} what={`The document of ${parentId} could not be loaded.`}>
      {(old) => (
        <QueryState query={after} what="The document could not be loaded.">
          {(now) => <Compared before={old} after={now} of={parentId} id={record.id} />}
        </QueryState>
      )}
    </QueryState>
  );
}

interface ComparedProps {
  before: Content;
  after: Content;
  of: number;
  id: number;
}

function Compared({ before, after, of, id }: ComparedProps) {
  const rows = useMemo(
    () => sideBySide(forEditing(before.text).text, forEditing(after.text).text),
    [before, after],
  );
  const changed = rows.filter(({ isChanged }) => isChanged).length;
  const isWhole = before.isWhole && after.isWhole && rows.length <= MOST_ROWS;
  return (
    <Panel title={`Compared with ${of}`} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.sides} tabIndex={0} aria-label="Both documents">
        <div className={classes.sidesHead}>Before, {of}</div>
        <div className={classes.sidesHead}>
          Now, {id}: {changed === 0 ? 'the same' : `${counted(changed, 'line')} changed`}
        </div>
        {rows.slice(0, MOST_ROWS).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
          <Row key={index} {...row} />
        ))}
      </section>
      {!isWhole && (
        <p className={classes.rest}>
          Only the beginning is compared. Download both documents to see the rest.
        </p>
      )}
    </Panel>
  );
}

interface RowProps {
  before: string | null;
  after: string | null;
  isChanged: boolean;
}

function Row({ before, after, isChanged }: RowProps) {
  return (
    <>
      <div className={classes.side} data-mark={isChanged && before !== null ? '-' : undefined}>
        {isChanged && before !== null ? (
          <del className={classes.plain}>
            <VisibleText text={before} />
          </del>
        ) : (
          <VisibleText text={before ?? ''} />
        )}
      </div>
      <div className={classes.side} data-mark={isChanged && after !== null ? '+' : undefined}>
        {isChanged && after !== null ? (
          <ins className={classes.plain}>
            <VisibleText text={after} />
          </ins>
        ) : (
          <VisibleText text={after ?? ''} />
        )}
      </div>
    </>
  );
}
