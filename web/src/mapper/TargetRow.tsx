import { memo } from 'react';
import type { Row, Suggestion, TargetNode } from '../core/model';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import classes from './Tree.module.css';
import { TreeItem } from './TreeItem';
import type { RowPlace } from './TreePanel';
import { badgeWord, listed, short, spoken } from './words';

/** What is told of a rule in a row. */
export interface RuleChip {
  text: string;
  words: string;
  fault: string;
}

interface Props extends RowPlace {
  row: Row<TargetNode>;
  chips: RuleChip[];
  /** The value the sample gives it. */
  value: string;
  /** Of an array: the loop it repeats for, derived from its rules. */
  forEach: string;
  offer: Suggestion | null;
  selected: boolean;
  readOnly: boolean;
}

/** A place of the target, with what fills it. */
export const TargetRow = memo(function TargetRow(props: Props) {
  const { row, side, index, top, active, chips, value, forEach, offer, selected, readOnly } = props;
  const { node } = row;
  const shown = visibleText(short(value));
  const faults = chips.map(({ fault }) => fault).filter((fault) => fault !== '');
  const title = node.name === '' ? node.code : node.name;
  const name = listed(
    spoken(title),
    badgeWord(node.badge),
    node.required && 'required',
    forEach,
    ...chips.map(({ words }) => words),
    chips.length > 0 && shown !== '' && `value ${shown}`,
    chips.length === 0 && node.path !== null && offer === null && 'not mapped',
    offer !== null && `suggested from ${offer.src}: ${offer.reason}`,
    ...faults.map((fault) => `error: ${fault}`),
  );
  return (
    <TreeItem
      row={row}
      place={{ side, index, top, active }}
      name={name}
      selected={selected}
      unsuitable={node.path === null ? 'Drop on a field: this row only holds others.' : ''}
    >
      {node.path !== null && (
        <span
          className={classes.dot}
          data-linked={chips.length > 0 || undefined}
          data-offered={offer !== null || undefined}
          data-fault={faults.length > 0 || undefined}
        />
      )}
      <span className={classes.badge} aria-hidden="true">
        {node.badge}
      </span>
      {node.code !== '' && node.code !== title && <span className={classes.code}>{node.code}</span>}
      <span className={row.expanded === null ? classes.name : `${classes.name} ${classes.strong}`}>
        {title}
        {node.required ? ' *' : ''}
      </span>
      {forEach !== '' && (
        <span className={classes.chip} data-kind="loop">
          <Icon name="repeat" size={12} />
          <span className={classes.chipText}>{forEach}</span>
        </span>
      )}
      <span className={classes.space} />
      {chips.map((chip) => (
        <span
          key={chip.text}
          className={classes.chip}
          data-kind={chip.fault === '' ? 'rule' : 'fault'}
          title={chip.fault === '' ? chip.words : chip.fault}
        >
          {chip.fault !== '' && <Icon name="alert" size={12} />}
          <span className={classes.chipText}>{chip.text}</span>
          {shown !== '' && <span className={classes.chipValue}>{shown}</span>}
        </span>
      ))}
      {offer !== null && <Offer offer={offer} readOnly={readOnly} />}
      {chips.length === 0 && offer === null && node.path !== null && !readOnly && (
        <button
          type="button"
          tabIndex={-1}
          className={`${classes.act} ${classes.onHover}`}
          data-part="constant"
        >
          + set value
        </button>
      )}
    </TreeItem>
  );
});

function Offer({ offer, readOnly }: { offer: Suggestion; readOnly: boolean }) {
  return (
    <span className={classes.chip} data-kind="offer" title={offer.reason}>
      <span className={classes.chipText}>{offer.src}</span>
      <span className={classes.chipValue}>{offer.reason}</span>
      {!readOnly && (
        <>
          <button
            type="button"
            tabIndex={-1}
            className={classes.act}
            data-part="accept"
            aria-label={`Accept ${offer.src}`}
          >
            <Icon name="check" size={14} />
          </button>
          <button
            type="button"
            tabIndex={-1}
            className={classes.act}
            data-part="reject"
            aria-label={`Reject ${offer.src}`}
          >
            <Icon name="close" size={14} />
          </button>
        </>
      )}
    </span>
  );
}
