import type { ReactNode } from 'react';
import type { Row } from '../core/model';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import classes from './Tree.module.css';
import type { RowPlace, TreeNode } from './TreePanel';

interface Props {
  row: Row<TreeNode>;
  place: RowPlace;
  /** What a screen reader says of the row. */
  name: string;
  selected: boolean;
  picked?: boolean;
  /** Why nothing can be dropped here, '' if it can. */
  unsuitable?: string;
  lit?: boolean;
  children: ReactNode;
}

/** One row of a tree, with what assistive technology has to know since rows are virtual. */
export function TreeItem({ row, place, name, selected, picked, unsuitable, lit, children }: Props) {
  const { side, index, top, active } = place;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, aria-activedescendant names the row
    <div
      role="treeitem"
      id={`${side}-${index}`}
      aria-level={row.depth + 1}
      aria-posinset={row.posinset}
      aria-setsize={row.setsize}
      aria-selected={selected}
      {...(row.expanded === null ? {} : { 'aria-expanded': row.expanded })}
      aria-label={visibleText(name)}
      className={classes.row}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 4 + row.depth * 14 }}
      data-row={index}
      data-node={row.node.id}
      data-active={active || undefined}
      data-picked={picked || undefined}
      data-lit={lit || undefined}
      data-unsuitable={unsuitable || undefined}
    >
      {row.expanded === null ? (
        <span className={classes.twist} />
      ) : (
        <span className={classes.twist} data-part="twist" aria-hidden="true">
          <Icon name={row.expanded ? 'chevronDown' : 'chevronRight'} size={14} />
        </span>
      )}
      {children}
    </div>
  );
}

/** The name of a row, or its code where it has none. */
export function titleOf({ name, code }: TreeNode): string {
  return name === '' ? code : name;
}

/** Type, code and name of a row. */
export function RowTitle({
  row,
  required = false,
}: {
  row: Row<TreeNode & { badge: string }>;
  required?: boolean;
}) {
  const { node } = row;
  const title = titleOf(node);
  return (
    <>
      <span className={classes.badge} aria-hidden="true">
        {node.badge}
      </span>
      {node.code !== '' && node.code !== title && (
        <span className={classes.code}>{visibleText(node.code)}</span>
      )}
      <span className={row.expanded === null ? classes.name : `${classes.name} ${classes.strong}`}>
        {visibleText(title)}
        {required ? ' *' : ''}
      </span>
    </>
  );
}
