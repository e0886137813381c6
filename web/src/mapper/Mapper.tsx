import { useCallback, useEffect, useMemo, useRef } from 'react';
import { shapeWords } from '../core/shape';
import { DraftOffer } from './DraftOffer';
import { DragLayer } from './DragLayer';
import { beginDrag, type Stage } from './drag';
import { EmptySource } from './EmptySource';
import { Header } from './Header';
import { LinkLayer } from './LinkLayer';
import classes from './Mapper.module.css';
import type { Beginning } from './NewMap';
import { Overlays } from './Overlays';
import { QuestionBox } from './QuestionBox';
import { useRejections } from './rejections';
import { SidePane } from './SidePane';
import { SourcePane } from './SourcePane';
import { StatusLine } from './StatusLine';
import type { Base } from './server';
import { TargetPane } from './TargetPane';
import { type Bench, useBench } from './useBench';
import { useDraft } from './useDraft';
import { useHover } from './useHover';
import { useKeys } from './useKeys';
import { useLeaving } from './useLeaving';
import { usePage } from './usePage';
import { useSave } from './useSave';
import { useTargetPress } from './useTargetPress';
import { useWidth } from './useWidth';

interface Props {
  beginning: Beginning;
  base: Base | null;
  /** A new map was saved for the first time, under this number. */
  onCreated?: (id: number) => void;
}

/** The visual mapper: two trees, the lines between them, the output, and one rule at a time. */
export function Mapper({ beginning, base, onCreated }: Props) {
  const bench = useBench(beginning, base);
  const { editor, connecting, sourceSide, targetSide } = bench;
  const saving = useSave(editor, onCreated);
  const draft = useDraft(editor);
  useRejections(editor);
  const page = usePage(bench);
  const width = useWidth();
  const frame = useRef<HTMLDivElement>(null);
  const sourceScroller = useRef<HTMLDivElement>(null);
  const targetScroller = useRef<HTMLDivElement>(null);
  const hover = useHover(bench, frame);
  const keys = useKeys({ bench, saving, page, frame, sourceScroller, targetScroller });
  const leaving = useLeaving(editor.dirty);
  const selected = useSelectedLines(bench);
  useEffect(() => {
    document.title = `${editor.state.name || 'New map'} · Longshore`;
  }, [editor.state.name]);

  // A row that is drawn keeps its handler; the drag itself calls what is current when it ends.
  const link = useRef(connecting.link);
  link.current = connecting.link;
  const startDrag = useCallback(
    (event: React.PointerEvent<HTMLDivElement>) => {
      const stage = stageOf(frame.current);
      if (editor.readOnly || stage === null || event.pointerType === 'touch') return;
      beginDrag(event.nativeEvent, event.currentTarget, stage, (source, target, combine) =>
        link.current(source, target, combine),
      );
    },
    [editor.readOnly],
  );
  const onTargetPress = useTargetPress(bench, page, width);
  const hasSource = width === 'wide' || (width === 'medium' && page.part === 'map');
  const hasTarget = width === 'wide' || page.part === 'map';
  const hasSide = width === 'wide' || page.part === 'side';

  return (
    <div className={classes.page}>
      <Header bench={bench} saving={saving} page={page} width={width} />
      <DraftOffer bench={bench} draft={draft} />
      <div ref={frame} className={classes.frame} data-shown={page.part}>
        {hasSource && (
          <SourcePane
            about={aboutSource(bench)}
            tree={sourceSide.tree}
            counts={sourceSide.counts}
            filter={sourceSide.filter}
            onFilter={sourceSide.setFilter}
            instances={bench.instances}
            onInstance={bench.step}
            linkedTo={bench.linkedTo}
            picked={connecting.picked}
            onPick={connecting.pick}
            onAddCode={page.setCodeFor}
            onKey={keys.onSourceKey}
            onHover={hover.onSource}
            onDragStart={startDrag}
            scroller={sourceScroller}
            empty={<EmptySource bench={bench} page={page} />}
          />
        )}
        {width === 'wide' && (
          <LinkLayer
            lines={bench.links.lines}
            selected={selected}
            source={sourceSide.tree}
            target={targetSide.tree}
            sourceScroller={sourceScroller}
            targetScroller={targetScroller}
          />
        )}
        {hasTarget && (
          <TargetPane
            about={editor.state.target_fmt.toUpperCase()}
            tree={targetSide.tree}
            counts={targetSide.counts}
            filter={targetSide.filter}
            onFilter={targetSide.setFilter}
            facts={bench.facts}
            forEach={bench.forEach}
            offers={bench.offers}
            readOnly={editor.readOnly}
            onPress={onTargetPress}
            onKey={keys.onTargetKey}
            onHover={hover.onTarget}
            scroller={targetScroller}
            question={
              connecting.asked === null ? null : (
                <QuestionBox
                  key={`${connecting.asked.source} ${connecting.asked.target}`}
                  asked={connecting.asked}
                  onAnswer={connecting.answer}
                  onCancel={connecting.drop}
                />
              )
            }
            empty="There is no target yet. Say under More actions, Settings, what the output looks like."
          />
        )}
        {hasSide && <SidePane bench={bench} page={page} hover={hover} />}
        <DragLayer />
      </div>
      <StatusLine bench={bench} narrow={width === 'narrow'} />
      <Overlays bench={bench} page={page} saving={saving} leaving={leaving} />
    </div>
  );
}

function stageOf(frame: HTMLElement | null): Stage | null {
  const line = frame?.querySelector<SVGPathElement>('[data-drag=line]') ?? null;
  const hint = frame?.querySelector<HTMLElement>('[data-drag=hint]') ?? null;
  return frame === null || line === null || hint === null ? null : { frame, line, hint };
}

/** The lines of the rows that are active on either side. */
function useSelectedLines(bench: Bench): ReadonlySet<string> {
  const { lines } = bench.links;
  const source = bench.sourceSide.tree.active;
  const target = bench.targetSide.tree.active;
  return useMemo(
    () =>
      new Set(
        lines
          .filter((line) => !line.group && (line.target === target || line.source === source))
          .map(({ key }) => key),
      ),
    [lines, source, target],
  );
}

function aboutSource(bench: Bench): string {
  const { inspection } = bench.read;
  if (inspection.isError) return 'The document could not be read.';
  const found = inspection.data;
  if (found === undefined) return bench.documents.shown === null ? 'no document' : '';
  const kind = [found.format.toUpperCase(), found.tx_set, found.version].filter(Boolean).join(' ');
  const { cut } = bench.tried;
  if (cut !== null) return `${kind}, shape of ${shapeWords(cut)}`;
  return found.tree_truncated ? `${kind}, only its beginning` : kind;
}
