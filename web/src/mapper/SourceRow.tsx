import { memo } from 'react';
import type { Row, SourceNode } from '../core/model';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import classes from './Tree.module.css';
import { TreeItem } from './TreeItem';
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

/** A field, segment or loop of the source. */
export const SourceRow = memo(function SourceRow(props: Props) {
  const { row, side, index, top, active, value, instances, instance, linkedTo, selected, picked } =
    props;
  const { node } = row;
  const title = node.name === '' ? node.code : node.name;
  const loop = node.badge === 'loop' || node.badge === 'arr';
  const shown = visibleText(short(value));
  const name = listed(
    listed(node.code, spoken(node.name)),
    badgeWord(node.badge),
    node.qualifier,
    loop && `${instances} times, ${instance + 1} shown`,
    shown !== '' && `value ${shown}`,
    linkedTo !== '' && `linked to ${linkedTo}`,
    picked && 'picked up',
  );
  return (
    <TreeItem
      row={row}
      place={{ side, index, top, active }}
      name={name}
      selected={selected}
      picked={picked}
      unsuitable={node.path === null ? 'This row has no value of its own.' : ''}
    >
      <span className={classes.badge} aria-hidden="true">
        {node.badge}
      </span>
      {node.code !== '' && node.code !== title && <span className={classes.code}>{node.code}</span>}
      <span className={row.expanded === null ? classes.name : `${classes.name} ${classes.strong}`}>
        {title}
      </span>
      {node.qualifier !== '' && node.qualifier !== title && (
        <span className={`${classes.name} ${classes.quiet}`}>{node.qualifier}</span>
      )}
      {loop && instances > 1 && <Stepper instance={instance} instances={instances} />}
      <span className={classes.value}>{shown}</span>
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
        aria-label="Instance before"
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

export function RepeatIcon() {
  return <Icon name="repeat" size={14} />;
}
