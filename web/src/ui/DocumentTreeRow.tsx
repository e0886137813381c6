import type { MouseEvent } from 'react';
import {
  type DocumentTree,
  type Mark,
  type Placed,
  summaryOf,
  type TreeItem,
} from '../core/documentTree';
import { type MarkWords, markWords, rowName } from '../core/treeWords';
import classes from './DocumentTree.module.css';
import { Icon } from './Icon';
import { VisibleText } from './VisibleText';

const INDENT_PX = 16;

interface Props<F extends Placed> {
  id: string;
  tree: DocumentTree;
  item: TreeItem;
  mark: Mark<F> | undefined;
  /** null: there is nothing to unfold. */
  expanded: boolean | null;
  chosen: boolean;
  top: number;
  onChoose: (id: number) => void;
  onToggle: (id: number) => void;
}

/** A row of the tree of a document. */
export function DocumentTreeRow<F extends Placed>(props: Props<F>) {
  const { tree, item, mark, expanded, chosen, onChoose, onToggle } = props;
  const { node } = item;
  const words = markWords(mark, expanded === true);
  const value = node.value ?? (expanded === false ? summaryOf(tree, item) : '');
  const choose = (event: MouseEvent) => {
    onChoose(item.id);
    if (event.target instanceof Element && event.target.closest('[data-twist]')) {
      onToggle(item.id);
    }
  };
  const toggle = () => {
    if (expanded !== null) onToggle(item.id);
  };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for its rows
    <div
      id={props.id}
      role="treeitem"
      aria-label={rowName(item, value, words)}
      aria-level={item.depth + 1}
      aria-posinset={item.posinset}
      aria-setsize={item.setsize}
      aria-selected={chosen}
      {...(expanded !== null && { 'aria-expanded': expanded })}
      className={classes.row}
      style={{ top: props.top, paddingLeft: 8 + item.depth * INDENT_PX }}
      onClick={choose}
      onDoubleClick={toggle}
    >
      <Twist expanded={expanded} />
      {item.segment > 0 && <span className={classes.number}>{item.segment}</span>}
      <span className={classes.code}>
        <VisibleText text={node.code} />
      </span>
      {node.name !== '' && <span className={classes.name}>{node.name}</span>}
      {node.qualifier !== null && node.children.length > 0 && (
        <span className={classes.qualifier}>{node.qualifier}</span>
      )}
      <span className={node.value === null ? classes.summary : classes.value}>
        <VisibleText text={value.slice(0, 200)} />
      </span>
      {words !== null && <MarkLabel words={words} />}
    </div>
  );
}

function Twist({ expanded }: { expanded: boolean | null }) {
  return (
    <span className={classes.twist} {...(expanded !== null && { 'data-twist': '' })}>
      {expanded !== null && <Icon name={expanded ? 'chevronDown' : 'chevronRight'} size={14} />}
    </span>
  );
}

function MarkLabel({ words: { tone, text } }: { words: MarkWords }) {
  return (
    <span className={classes.mark} data-tone={tone}>
      <Icon name={tone === 'err' ? 'close' : 'alert'} size={12} /> {text}
    </span>
  );
}
