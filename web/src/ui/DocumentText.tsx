import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import {
  beginsLine,
  type Lines,
  lineParts,
  linesOf,
  pieceOf,
  type Separators,
} from '../core/segments';
import classes from './DocumentText.module.css';
import { VisibleParts } from './VisibleText';

const ROW_PX = 20;
// A browser draws nothing higher than some ten million pixels.
const MAX_ROWS = 500_000;

interface Props {
  /** Names the text for screen readers. */
  label: string;
  text: string;
  /** Of X12: a segment is a line, and separators are tinted. */
  separators: Separators | null;
}

/** A whole document as it is, a segment or line a row; only what is on the screen is in the page. */
export function DocumentText({ label, text, separators }: Props) {
  const frame = useRef<HTMLElement>(null);
  const lines = useMemo(() => linesOf(text, separators?.segment ?? ''), [text, separators]);
  const count = Math.min(lines.starts.length, MAX_ROWS);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const digits = String(lines.numbers[count - 1] ?? 1).length;
  const width = `calc(${digits + lines.longest}ch + 48px)`;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={frame} className={classes.frame} tabIndex={0} aria-label={label}>
        <div className={classes.sizer} style={{ height: rows.getTotalSize(), minWidth: width }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <div key={index} className={classes.row} style={{ top: start }}>
              <span className={classes.number} style={{ width: `${digits + 1}ch` }}>
                {beginsLine(lines, index) ? lines.numbers[index] : ''}
              </span>
              <bdi className={classes.content} dir="ltr">
                <Piece lines={lines} index={index} separators={separators} />
              </bdi>
            </div>
          ))}
        </div>
      </section>
      {lines.starts.length > count && (
        <p className={classes.rest}>
          Shown up to line {lines.numbers[count - 1]}. Download the document to see the rest.
        </p>
      )}
    </>
  );
}

interface PieceProps {
  lines: Lines;
  index: number;
  separators: Separators | null;
}

function Piece({ lines, index, separators }: PieceProps) {
  const piece = pieceOf(lines, index);
  if (separators === null) return <VisibleParts text={piece} />;
  return lineParts(piece, separators, beginsLine(lines, index)).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other name
    <span key={at} className={classes[part.kind]}>
      <VisibleParts text={part.text} />
    </span>
  ));
}
