import { type KeyboardEvent, type ReactNode, type RefObject, useCallback } from 'react';
import type { TargetFilter } from '../core/flatten';
import type { Row, Suggestion, TargetNode } from '../core/model';
import classes from './Mapper.module.css';
import { PaneHead } from './PaneHead';
import { spread } from './SourcePane';
import { type RuleChip, TargetRow } from './TargetRow';
import { type RowPlace, TreePanel } from './TreePanel';
import type { TargetFacts } from './useLineage';
import type { TreeState } from './useTreeState';

interface Props {
  about: string;
  tree: TreeState<TargetNode>;
  counts: Record<TargetFilter, number>;
  filter: TargetFilter;
  onFilter: (filter: TargetFilter) => void;
  facts: ReadonlyMap<string, TargetFacts>;
  /** What array rows are repeated for, in words, by row. */
  forEach: ReadonlyMap<string, string>;
  offers: ReadonlyMap<string, Suggestion>;
  readOnly: boolean;
  onPress: (row: Row<TargetNode>, part: string, combine: boolean) => void;
  onKey: (event: KeyboardEvent, row: Row<TargetNode> | null) => boolean;
  onHover: (row: Row<TargetNode> | null) => void;
  scroller: RefObject<HTMLDivElement | null>;
  /** A question or refusal about the last link, over the rows. */
  question: ReactNode;
  /** Instead of rows, where there is no target yet. */
  empty: ReactNode;
}

const FILTERS: readonly { name: TargetFilter; label: string }[] = [
  { name: 'all', label: 'All' },
  { name: 'unmapped', label: 'Unmapped' },
  { name: 'issues', label: 'Issues' },
];
const NO_CHIPS: RuleChip[] = [];

/** What the document becomes, with chips that say from what. */
export function TargetPane(props: Props) {
  const { tree, counts, filter, facts, forEach, offers, readOnly, scroller } = props;
  const selected = tree.active;
  const render = useCallback(
    (row: Row<TargetNode>, place: RowPlace) => {
      const own = facts.get(row.node.id);
      return (
        <TargetRow
          row={row}
          {...spread(place)}
          chips={own?.chips ?? NO_CHIPS}
          value={own?.value ?? ''}
          forEach={forEach.get(row.node.id) ?? ''}
          offer={offers.get(row.node.id) ?? null}
          selected={selected === row.node.id}
          readOnly={readOnly}
        />
      );
    },
    [facts, forEach, offers, selected, readOnly],
  );
  return (
    <section className={classes.pane} aria-label="Target">
      <PaneHead
        title="Target"
        about={props.about}
        search={tree.search}
        onSearch={tree.setSearch}
        filters={FILTERS.map((each) => ({ ...each, count: counts[each.name] }))}
        filter={filter}
        onFilter={props.onFilter}
        onLeave={() => scroller.current?.focus()}
      />
      {props.question}
      <TreePanel
        side="target"
        label="Target fields"
        rows={tree.rows}
        activeId={tree.active}
        onActive={tree.setActive}
        onToggle={tree.toggle}
        onPress={(row, part, event) => {
          tree.setActive(row.node.id);
          props.onPress(row, part, event.shiftKey);
        }}
        onKey={props.onKey}
        onHover={props.onHover}
        scroller={scroller}
        render={render}
        empty={counts.all === 0 ? props.empty : 'No field matches this filter or search.'}
      />
    </section>
  );
}
