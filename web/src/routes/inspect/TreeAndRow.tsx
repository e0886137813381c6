import { type ReactNode, useMemo } from 'react';
import { documentTree, marksOf } from '../../core/documentTree';
import { DocumentTree } from '../../ui/DocumentTree';
import { Panel } from '../../ui/Panel';
import classes from './Inspect.module.css';
import type { Inspection } from './queries';
import { RowDetails } from './RowDetails';
import { useChosenRow } from './useChosenRow';

interface Props {
  result: Inspection;
  /** The path of the chosen row, as the address has it. */
  at: string | undefined;
  onAt: (path: string) => void;
  /** Called at once, where `onAt` follows a moment later. */
  onChoose?: () => void;
  /** Puts the chosen row among other things; absent: it stands alone. */
  children?: (row: ReactNode) => ReactNode;
}

/** The tree of a document next to its chosen row. Another result needs another `key`. */
export function TreeAndRow(props: Props) {
  const { result, at, onAt, onChoose, children = (row: ReactNode) => row } = props;
  const tree = useMemo(() => documentTree(result.tree), [result]);
  const marks = useMemo(() => marksOf(tree, result.findings), [tree, result]);
  const [chosen, choose] = useChosenRow(tree, at, onAt);
  const item = tree.items[chosen];
  const chooseRow = (id: number) => {
    choose(id);
    onChoose?.();
  };
  const title = result.format === 'x12' ? 'Segments' : 'Content';
  return (
    <div className={classes.columns}>
      <Panel title={title} flush>
        <DocumentTree
          label={title}
          tree={tree}
          marks={marks}
          chosen={chosen}
          onChoose={chooseRow}
        />
        {result.tree_truncated && (
          <p className={classes.note}>
            The document continues after the tree, which shows{' '}
            {tree.items.length.toLocaleString('en')} rows. The findings cover the whole document.
          </p>
        )}
      </Panel>
      <Panel>
        {children(item === undefined ? null : <RowDetails item={item} mark={marks.get(chosen)} />)}
      </Panel>
    </div>
  );
}
