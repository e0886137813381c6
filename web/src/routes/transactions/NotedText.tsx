import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { markedParts, notesByPiece, placesOf } from '../../core/notes';
import { beginsLine, type Lines, linesOf, pieceOf, type Separators } from '../../core/segments';
import text from '../../ui/DocumentText.module.css';
import { VisibleParts } from '../../ui/VisibleText';
import classes from './Detail.module.css';
import { type Note, NoteWords } from './NoteWords';

const ROW_PX = 20;
const NOTE_PX = 76;
const NO_SEPARATORS: Separators = { element: '', segment: '', component: '', repetition: '' };

interface Props {
  /** Names the text for screen readers. */
  label: string;
  content: string;
  separators: Separators | null;
  notes: readonly Note[];
  /** The path of the note that is brought into view. */
  at: string | undefined;
}

/** A document a segment a line, with what is said of it under each line; only what is seen is drawn. */
export function NotedText({ label, content, separators, notes, at }: Props) {
  const frame = useRef<HTMLElement>(null);
  const lines = useMemo(() => linesOf(content, separators?.segment ?? ''), [content, separators]);
  const placed = useMemo(() => {
    const placeOf = placesOf(content);
    const located = notes.map((note) => ({
      ...note,
      offset: note.offset === null ? null : placeOf(note.offset),
    }));
    return notesByPiece(lines, located);
  }, [content, lines, notes]);
  const rows = useVirtualizer<HTMLElement, HTMLDivElement>({
    count: lines.starts.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => ROW_PX + NOTE_PX * (placed.get(index)?.length ?? 0),
    overscan: 12,
  });
  const chosen = useMemo(() => chosenPiece(placed, at), [placed, at]);
  const { scrollToIndex } = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: notes that come later need room
  useEffect(() => {
    rows.measure();
    // A drawn row has reported its size, and reports it again only when that changes.
    const frame = requestAnimationFrame(() => {
      for (const row of rows.elementsCache.values()) rows.measureElement(row);
    });
    return () => cancelAnimationFrame(frame);
  }, [placed]);
  useEffect(() => {
    if (chosen !== null) scrollToIndex(chosen, { align: 'center' });
  }, [chosen, scrollToIndex]);
  const digits = String(lines.numbers.at(-1) ?? 1).length;
  return (
    <section
      ref={frame}
      className={`${text.frame} ${classes.noted}`}
      // A short document leaves no empty room.
      style={{ height: `min(64vh, ${rows.getTotalSize() + ROW_PX}px)` }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
    >
      <div
        className={text.sizer}
        style={{
          height: rows.getTotalSize(),
          minWidth: `calc(${digits + lines.longest}ch + 48px)`,
        }}
      >
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            ref={rows.measureElement}
            data-index={index}
            className={classes.line}
            style={{ top: start }}
          >
            <div className={classes.lineText} data-chosen={index === chosen || undefined}>
              <span className={text.number} style={{ width: `${digits + 1}ch` }}>
                {beginsLine(lines, index) ? lines.numbers[index] : ''}
              </span>
              <bdi className={text.content} dir="ltr">
                <Piece
                  lines={lines}
                  index={index}
                  separators={separators ?? NO_SEPARATORS}
                  notes={placed.get(index) ?? []}
                />
              </bdi>
            </div>
            {placed.get(index)?.map((note, order) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a line never change
              <div key={order} className={classes.lineNote}>
                <NoteWords note={note} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}

/** The line of the chosen note; without one the first that a partner complains about. */
function chosenPiece(placed: ReadonlyMap<number, Note[]>, at: string | undefined): number | null {
  for (const [piece, notes] of placed) {
    if (notes.some(({ kind, path }) => (at === undefined ? kind === 'ackError' : path === at))) {
      return piece;
    }
  }
  return null;
}

interface PieceProps {
  lines: Lines;
  index: number;
  separators: Separators;
  notes: readonly Note[];
}

function Piece({ lines, index, separators, notes }: PieceProps) {
  const offsets = notes.map(({ offset }) => offset ?? -1);
  const start = lines.starts[index] ?? 0;
  const hasTag = beginsLine(lines, index) && separators.element !== '';
  return markedParts(pieceOf(lines, index), start, offsets, separators, hasTag).map((part, at) => {
    const shown = <VisibleParts text={part.text} />;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other name
      <span key={at} className={text[part.kind]}>
        {part.isMarked ? <mark className={classes.mark}>{shown}</mark> : shown}
      </span>
    );
  });
}
