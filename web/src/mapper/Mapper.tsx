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
import { useDraft } from './useDraft';
import { useHover } from './useHover';
import { useKeys } from './useKeys';
import { useLeaving } from './useLeaving';
import { type MapperState, useMapper } from './useMapper';
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
  const mapper = useMapper(beginning, base);
  const { editor, connecting, sourceSide, targetSide } = mapper;
  const saving = useSave(editor, onCreated);
  const draft = useDraft(editor);
  useRejections(editor);
  const page = usePage(mapper);
  const width = useWidth();
  const frame = useRef<HTMLDivElement>(null);
  const sourceScroller = useRef<HTMLDivElement>(null);
  const targetScroller = useRef<HTMLDivElement>(null);
  const hover = useHover(mapper, frame);
  const keys = useKeys({ mapper, saving, page, frame, sourceScroller, targetScroller });
  const leaving = useLeaving(editor.dirty);
  const selected = useSelectedLines(mapper);
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
  const onTargetPress = useTargetPress(mapper, page, width);
  const hasSource = width === 'wide' || (width === 'medium' && page.part === 'map');
  const hasTarget = width === 'wide' || page.part === 'map';
  const hasSide = width === 'wide' || page.part === 'side';

  return (
    <div className={classes.page}>
      <Header mapper={mapper} saving={saving} page={page} width={width} />
      <DraftOffer mapper={mapper} draft={draft} />
      <div ref={frame} className={classes.frame} data-shown={page.part}>
        {hasSource && (
          <SourcePane
            about={aboutSource(mapper)}
            tree={sourceSide.tree}
            counts={sourceSide.counts}
            filter={sourceSide.filter}
            onFilter={sourceSide.setFilter}
            instances={mapper.instances}
            onInstance={mapper.step}
            linkedTo={mapper.linkedTo}
            picked={connecting.picked}
            onPick={connecting.pick}
            onAddCode={page.setCodeFor}
            onKey={keys.onSourceKey}
            onHover={hover.onSource}
            onDragStart={startDrag}
            scroller={sourceScroller}
            empty={<EmptySource mapper={mapper} page={page} />}
          />
        )}
        {width === 'wide' && (
          <LinkLayer
            lines={mapper.links.lines}
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
            facts={mapper.facts}
            forEach={mapper.forEach}
            offers={mapper.offers}
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
            empty="There is no target yet. Describe the output under More actions, Settings."
          />
        )}
        {hasSide && <SidePane mapper={mapper} page={page} hover={hover} />}
        <DragLayer />
      </div>
      <StatusLine mapper={mapper} narrow={width === 'narrow'} />
      <Overlays mapper={mapper} page={page} saving={saving} leaving={leaving} />
    </div>
  );
}

function stageOf(frame: HTMLElement | null): Stage | null {
  const line = frame?.querySelector<SVGPathElement>('[data-drag=line]') ?? null;
  const hint = frame?.querySelector<HTMLElement>('[data-drag=hint]') ?? null;
  return frame === null || line === null || hint === null ? null : { frame, line, hint };
}

/** The lines of the rows that are active on either side. */
function useSelectedLines(mapper: MapperState): ReadonlySet<string> {
  const { lines } = mapper.links;
  const source = mapper.sourceSide.tree.active;
  const target = mapper.targetSide.tree.active;
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

function aboutSource(mapper: MapperState): string {
  const { inspection } = mapper.read;
  if (inspection.isError) return 'The document could not be read.';
  const found = inspection.data;
  if (found === undefined) return mapper.documents.shown === null ? 'no document' : '';
  const kind = [found.format.toUpperCase(), found.tx_set, found.version].filter(Boolean).join(' ');
  const { cut } = mapper.tried;
  if (cut !== null) return `${kind}, shape of ${shapeWords(cut)}`;
  return found.tree_truncated ? `${kind}, only its beginning` : kind;
}
