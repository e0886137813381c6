import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useState } from 'react';
import type { SourceFilter } from '../core/flatten';
import type { Row, SourceNode } from '../core/model';
import { instanceCount, type ShownInstances, sampleValue } from '../core/source';
import classes from './Mapper.module.css';
import { PaneHead } from './PaneHead';
import { SourceRow } from './SourceRow';
import { type RowPlace, TreePanel } from './TreePanel';
import type { TreeState } from './useTreeState';

interface Props {
  about: string;
  tree: TreeState<SourceNode>;
  counts: Record<SourceFilter, number>;
  filter: SourceFilter;
  onFilter: (filter: SourceFilter) => void;
  instances: ShownInstances;
  onInstance: (loop: string, instance: number) => void;
  /** Target paths that each row is linked to. */
  linkedTo: ReadonlyMap<string, string>;
  picked: string | null;
  onPick: (id: string) => void;
  onKey: (event: KeyboardEvent, row: Row<SourceNode> | null) => boolean;
  onHover: (row: Row<SourceNode> | null) => void;
  onDragStart: (event: React.PointerEvent<HTMLDivElement>) => void;
  scroller: RefObject<HTMLDivElement | null>;
}

const FILTERS: readonly { name: SourceFilter; label: string }[] = [
  { name: 'sample', label: 'In sample' },
  { name: 'all', label: 'All' },
  { name: 'unused', label: 'Unused' },
];

/** The document, as the fields a rule can read. */
export function SourcePane(props: Props) {
  const { tree, counts, filter, instances, linkedTo, picked, scroller } = props;
  const selected = tree.active;
  const [focusTree] = useState(() => () => scroller.current?.focus());
  const render = useCallback(
    (row: Row<SourceNode>, place: RowPlace) => {
      const { node } = row;
      const loop = node.children.length > 0 ? node.loops.at(-1) : undefined;
      return (
        <SourceRow
          row={row}
          {...spread(place)}
          value={node.path === null ? '' : sampleValue(node, instances)}
          instances={loop === undefined ? 0 : instanceCount(node, instances)}
          instance={loop === undefined ? 0 : (instances.get(loop) ?? 0)}
          linkedTo={linkedTo.get(node.id) ?? ''}
          selected={selected === node.id}
          picked={picked === node.id}
        />
      );
    },
    [instances, linkedTo, selected, picked],
  );
  const press = (row: Row<SourceNode>, part: string, _: MouseEvent) => {
    const loop = row.node.loops.at(-1);
    tree.setActive(row.node.id);
    if (loop !== undefined && part.startsWith('step-')) {
      props.onInstance(loop, (instances.get(loop) ?? 0) + (part === 'step-on' ? 1 : -1));
      return;
    }
    if (row.node.path !== null) props.onPick(row.node.id);
    else if (row.expanded !== null) tree.toggle([row.node.id], !row.expanded);
  };
  return (
    <section className={classes.pane} aria-label="Source">
      <PaneHead
        title="Source"
        about={props.about}
        search={tree.search}
        onSearch={tree.setSearch}
        filters={FILTERS.map((each) => ({ ...each, count: counts[each.name] }))}
        filter={filter}
        onFilter={props.onFilter}
        onLeave={focusTree}
      />
      <TreePanel
        side="source"
        label="Source fields"
        rows={tree.rows}
        activeId={tree.active}
        onActive={tree.setActive}
        onToggle={tree.toggle}
        onPress={press}
        onKey={props.onKey}
        onHover={props.onHover}
        onPointerDown={props.onDragStart}
        scroller={scroller}
        render={render}
        empty={
          tree.search === ''
            ? 'No field passes this filter.'
            : 'Nothing has this name, value or code.'
        }
      />
    </section>
  );
}

/** A memoised row compares its properties one by one, so a place comes as values. */
export function spread(place: RowPlace) {
  return { side: place.side, index: place.index, top: place.top, active: place.active };
}
