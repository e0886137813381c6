import { type KeyboardEvent, type ReactNode, type RefObject, useCallback } from 'react';
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
  /** For a segment that codes distinguish: a row for a code that the sample lacks. */
  onAddCode: (id: string) => void;
  onKey: (event: KeyboardEvent, row: Row<SourceNode> | null) => boolean;
  onHover: (row: Row<SourceNode> | null) => void;
  onDragStart: (event: React.PointerEvent<HTMLDivElement>) => void;
  scroller: RefObject<HTMLDivElement | null>;
  /** Instead of rows. */
  empty: ReactNode;
}

const FILTERS: readonly { name: SourceFilter; label: string }[] = [
  { name: 'sample', label: 'In sample' },
  { name: 'all', label: 'All' },
  { name: 'unused', label: 'Unused' },
];

const STEPS: Readonly<Record<string, number>> = { 'step-back': -1, 'step-on': 1 };

/** The document, as the fields a rule can read. */
export function SourcePane(props: Props) {
  const { tree, counts, filter, instances, linkedTo, picked, scroller } = props;
  const selected = tree.active;
  const render = useCallback(
    (row: Row<SourceNode>, place: RowPlace) => (
      <SourceRow
        row={row}
        {...spread(place)}
        value={row.node.path === null ? '' : sampleValue(row.node, instances)}
        {...stepOf(row.node, instances)}
        linkedTo={linkedTo.get(row.node.id) ?? ''}
        selected={selected === row.node.id}
        picked={picked === row.node.id}
      />
    ),
    [instances, linkedTo, selected, picked],
  );
  const press = (row: Row<SourceNode>, part: string) => {
    const { id, path, loops } = row.node;
    const loop = loops.at(-1);
    tree.setActive(id);
    if (part === 'add-code') return props.onAddCode(id);
    const step = STEPS[part];
    if (loop !== undefined && step !== undefined) {
      props.onInstance(loop, (instances.get(loop) ?? 0) + step);
    } else if (path !== null) props.onPick(id);
    else if (row.expanded !== null) tree.toggle([id], !row.expanded);
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
        onLeave={() => scroller.current?.focus()}
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
        empty={props.empty}
      />
    </section>
  );
}

/** Which instance of a loop is shown, and of how many. */
function stepOf(node: SourceNode, shown: ShownInstances) {
  const loop = node.children.length > 0 ? node.loops.at(-1) : undefined;
  return loop === undefined
    ? { instances: 0, instance: 0 }
    : { instances: instanceCount(node, shown), instance: shown.get(loop) ?? 0 };
}

/** A memoised row compares its properties one by one, so a place comes as values. */
export function spread(place: RowPlace) {
  return { side: place.side, index: place.index, top: place.top, active: place.active };
}
