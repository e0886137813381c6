import { memo } from 'react';
import type { Row, Suggestion, TargetNode } from '../core/model';
import { shortPath } from '../core/paths';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import classes from './Tree.module.css';
import { RowTitle, TreeItem, titleOf } from './TreeItem';
import type { RowPlace } from './TreePanel';
import { badgeWord, listed, short, spoken } from './words';

/** What a row shows of a rule. */
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

function nameOf({ row, chips, value, forEach, offer }: Props): string {
  const { node } = row;
  const shown = visibleText(short(value));
  const isMapped = chips.length > 0;
  return listed(
    spoken(titleOf(node)),
    badgeWord(node.badge),
    node.required && 'required',
    forEach,
    ...chips.map(({ words }) => words),
    isMapped && shown !== '' && `value ${shown}`,
    isOpen({ row, chips, offer }) && 'not mapped',
    offer !== null && `suggested from ${shortPath(offer.src)}: ${offer.reason}`,
    ...chips.map(({ fault }) => fault !== '' && `error: ${fault}`),
  );
}

/** Whether nothing fills the row, and nothing is suggested for it. */
function isOpen({ row, chips, offer }: Pick<Props, 'row' | 'chips' | 'offer'>): boolean {
  return row.node.path !== null && chips.length === 0 && offer === null;
}

/** A place of the target, with what fills it. */
export const TargetRow = memo(function TargetRow(props: Props) {
  const { row, side, index, top, active, chips, value, forEach, offer, readOnly } = props;
  const { node } = row;
  return (
    <TreeItem
      row={row}
      place={{ side, index, top, active }}
      name={nameOf(props)}
      selected={props.selected}
      unsuitable={node.path === null ? 'Drop on a field: this row only contains others.' : ''}
    >
      {node.path !== null && (
        <span
          className={classes.dot}
          data-linked={chips.length > 0 || undefined}
          data-offered={offer !== null || undefined}
          data-fault={chips.some(({ fault }) => fault !== '') || undefined}
        />
      )}
      <RowTitle row={row} required={node.required} />
      {forEach !== '' && (
        <span className={classes.chip} data-kind="loop">
          <Icon name="repeat" size={12} />
          <span className={classes.chipText}>{forEach}</span>
        </span>
      )}
      <span className={classes.space} />
      {chips.map((chip, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules of one target may look alike
        <Chip key={at} chip={chip} value={visibleText(short(value))} />
      ))}
      {offer !== null && <Offer offer={offer} readOnly={readOnly} />}
      {isOpen(props) && !readOnly && (
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

function Chip({ chip, value }: { chip: RuleChip; value: string }) {
  const isFaulty = chip.fault !== '';
  return (
    <span
      className={classes.chip}
      data-kind={isFaulty ? 'fault' : 'rule'}
      title={visibleText(isFaulty ? chip.fault : chip.words)}
    >
      {isFaulty && <Icon name="alert" size={12} />}
      <span className={classes.chipText}>{visibleText(chip.text)}</span>
      {value !== '' && <span className={classes.chipValue}>{value}</span>}
    </span>
  );
}

function Offer({ offer, readOnly }: { offer: Suggestion; readOnly: boolean }) {
  return (
    <span className={classes.chip} data-kind="offer" title={offer.reason}>
      <span className={classes.chipText}>{visibleText(shortPath(offer.src))}</span>
      <span className={classes.chipValue}>{offer.reason}</span>
      {!readOnly && (
        <>
          <button
            type="button"
            tabIndex={-1}
            className={classes.act}
            data-part="accept"
            aria-label={`Accept ${shortPath(offer.src)}`}
          >
            <Icon name="check" size={14} />
          </button>
          <button
            type="button"
            tabIndex={-1}
            className={classes.act}
            data-part="reject"
            aria-label={`Reject ${shortPath(offer.src)}`}
          >
            <Icon name="close" size={14} />
          </button>
        </>
      )}
    </span>
  );
}
