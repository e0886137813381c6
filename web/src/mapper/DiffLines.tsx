import type { LineChange } from '../core/diff';
import overlay from './Overlay.module.css';

const CONTEXT = 2;
const MAX_LINES = 2000;

/** Lines that differ, with some around them. */
export function DiffLines({ changes, label }: { changes: LineChange[]; label: string }) {
  const near = new Set<number>();
  changes.forEach(({ mark }, index) => {
    if (mark === ' ') return;
    for (let at = index - CONTEXT; at <= index + CONTEXT; at += 1) near.add(at);
  });
  const lines = changes.map((change, index) => ({ ...change, index }));
  const shown = lines.filter(({ index }) => near.has(index)).slice(0, MAX_LINES);
  return (
    <section className={overlay.diff} aria-label={label}>
      {shown.map(({ mark, text, index }) => (
        <div
          key={index}
          className={mark === '+' ? overlay.plus : mark === '-' ? overlay.minus : undefined}
        >
          {mark} {text}
        </div>
      ))}
    </section>
  );
}
