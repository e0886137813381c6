import { memo } from 'react';
import type { Row, SourceNode } from '../core/model';
import { visibleText } from '../core/visible';
import classes from './Tree.module.css';
import { RowTitle, TreeItem } from './TreeItem';
import type { RowPlace } from './TreePanel';
import { badgeWord, listed, short, spoken } from './words';

interface Props extends RowPlace {
  row: Row<SourceNode>;
  value: string;
  /** Of a loop: how many instances it has, and which is shown, from 0. */
  instances: number;
  instance: number;
  /** Target paths of the rules that read it. */
  linkedTo: string;
  selected: boolean;
  picked: boolean;
}

function nameOf({ row, value, instances, instance, linkedTo, picked }: Props): string {
  const { node } = row;
  const shown = visibleText(short(value));
  return listed(
    listed(node.code, spoken(node.name)),
    badgeWord(node.badge),
    node.qualifier,
    isLoop(node) && instances > 0 && `${instances} times, ${instance + 1} shown`,
    shown !== '' && `value ${shown}`,
    linkedTo !== '' && `linked to ${linkedTo}`,
    picked && 'picked up',
  );
}

const isLoop = ({ badge }: SourceNode) => badge === 'loop' || badge === 'arr';

/** A field, segment or loop of the source. */
export const SourceRow = memo(function SourceRow(props: Props) {
  const { row, side, index, top, active, value, instances, instance, linkedTo } = props;
  const { node } = row;
  return (
    <TreeItem
      row={row}
      place={{ side, index, top, active }}
      name={nameOf(props)}
      selected={props.selected}
      picked={props.picked}
      unsuitable={node.path === null ? 'This row has no value.' : ''}
    >
      <RowTitle row={row} />
      {node.qualifier !== '' && node.qualifier !== node.name && (
        <span className={`${classes.name} ${classes.quiet}`}>{node.qualifier}</span>
      )}
      {isLoop(node) && instances > 1 && <Stepper instance={instance} instances={instances} />}
      {node.id.startsWith('group:') && (
        <button
          type="button"
          tabIndex={-1}
          className={`${classes.act} ${classes.onHover}`}
          data-part="add-code"
        >
          + code
        </button>
      )}
      <span className={classes.value}>{visibleText(short(value))}</span>
      {node.path !== null && (
        <span className={classes.dot} data-linked={linkedTo !== '' || undefined} />
      )}
    </TreeItem>
  );
});

function Stepper({ instance, instances }: { instance: number; instances: number }) {
  return (
    <span className={classes.chip} data-kind="loop">
      <button
        type="button"
        tabIndex={-1}
        className={classes.act}
        data-part="step-back"
        aria-label="Previous instance"
        disabled={instance === 0}
      >
        ‹
      </button>
      {instance + 1} of {instances}
      <button
        type="button"
        tabIndex={-1}
        className={classes.act}
        data-part="step-on"
        aria-label="Next instance"
        disabled={instance + 1 >= instances}
      >
        ›
      </button>
    </span>
  );
}
