import { useQuery } from '@tanstack/react-query';
import { Fragment, useMemo } from 'react';
import { linesIn } from '../../core/editedText';
import { separatorsOf } from '../../core/segments';
import { partsOfPair, type SidePart, type SideRow, sideBySide } from '../../core/sideBySide';
import { counted } from '../../core/treeWords';
import { Panel } from '../../ui/Panel';
import { QueryState } from '../../ui/States';
import { VisibleParts, VisibleText } from '../../ui/VisibleText';
import { type Content, contentQuery } from './content';
import classes from './Detail.module.css';
import type { Transaction } from './queries';

const MAX_ROWS = 2000;

/** A record next to the one of which it is a correction or a reissue. */
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
  const marks = separatorsOf(after.text) ?? separatorsOf(before.text);
  const { element = '', segment = '' } = marks ?? {};
  const rows = useMemo(
    () => sideBySide(linesIn(before.text), linesIn(after.text)),
    [before, after],
  );
  const changed = rows.filter(({ isChanged }) => isChanged).length;
  const isWhole = before.isWhole && after.isWhole && rows.length <= MAX_ROWS;
  return (
    <Panel title={`Compared with ${of}`} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.sides} tabIndex={0} aria-label="Both documents">
        <div className={classes.sidesHead}>Before, {of}</div>
        <div className={classes.sidesHead}>
          Now, {id}: {changed === 0 ? 'the same' : `${counted(changed, 'line')} changed`}
        </div>
        {rows.slice(0, MAX_ROWS).map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
          <Row key={index} row={row} element={element} segment={segment} />
        ))}
      </section>
      {!isWhole && (
        <p className={classes.rest}>
          Only the beginning is compared. Download both documents to compare the rest.
        </p>
      )}
    </Panel>
  );
}

interface RowProps {
  row: SideRow;
  element: string;
  segment: string;
}

function Row({ row: { before, after, isChanged }, element, segment }: RowProps) {
  const parts = (line: string | null, other: string | null) =>
    isChanged && line !== null && partsOfPair(line, other ?? '', element, segment);
  const [old, now] = [parts(before, after), parts(after, before)];
  return (
    <>
      <div className={classes.side} data-mark={old ? '−' : undefined}>
        {old ? (
          <del className={classes.plain}>
            <Parts parts={old} isMarked={after !== null} />
          </del>
        ) : (
          <VisibleText text={before ?? ''} />
        )}
      </div>
      <div className={classes.side} data-mark={now ? '+' : undefined}>
        {now ? (
          <ins className={classes.plain}>
            <Parts parts={now} isMarked={before !== null} />
          </ins>
        ) : (
          <VisibleText text={after ?? ''} />
        )}
      </div>
    </>
  );
}

/** The parts of a line; where another line is next to it, differences are marked. */
function Parts({ parts, isMarked }: { parts: readonly SidePart[]; isMarked: boolean }) {
  return (
    <bdi>
      {parts.map(({ text, isChanged }, at) => {
        const shown = <VisibleParts text={text} />;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other name
          <Fragment key={at}>
            {isChanged && isMarked ? <mark className={classes.differs}>{shown}</mark> : shown}
          </Fragment>
        );
      })}
    </bdi>
  );
}
