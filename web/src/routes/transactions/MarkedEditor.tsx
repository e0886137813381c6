import { Textarea } from '@mantine/core';
import { type RefObject, useMemo, useState } from 'react';
import { type LineMark, lineMarks, type Mark } from '../../core/editorMarks';
import { Icon } from '../../ui/Icon';
import classes from './MarkedEditor.module.css';

const LINE_PX = 20;
const CHARACTER_PX = 7.8;
const LINES = 24;
/** Also the padding in MarkedEditor.module.css. */
const PADDING_PX = 8;

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  marks: readonly Mark[];
  onText: (text: string) => void;
}

/** A text in an editor: lines numbered, marked places underlined and their lines named at the edge. */
export function MarkedEditor({ field, text, marks, onText }: Props) {
  const [scrolled, setScrolled] = useState({ top: 0, left: 0 });
  const marked = useMemo(() => lineMarks(text, marks), [text, marks]);
  const count = useMemo(() => text.split('\n').length, [text]);
  const first = Math.floor(scrolled.top / LINE_PX);
  // More lines are not on the screen, so no more are drawn.
  const shown = Array.from({ length: Math.min(LINES + 2, count - first) }, (_, at) => first + at);
  return (
    <div className={classes.frame}>
      <div
        aria-hidden
        className={classes.edge}
        style={{ width: `calc(${String(count).length}ch + 32px)` }}
      >
        {shown.map((line) => (
          <div key={line} className={classes.number} style={{ top: topOf(line, scrolled) }}>
            <LineSign marks={marked.filter((mark) => mark.line === line)} />
            {line + 1}
          </div>
        ))}
      </div>
      <div className={classes.area}>
        <div aria-hidden className={classes.layer}>
          {marked
            .filter(({ line }) => shown.includes(line))
            .map((mark, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: marks have no other name
              <MarkedLine key={index} mark={mark} scrolled={scrolled} />
            ))}
        </div>
        <Textarea
          ref={field}
          aria-label="Document"
          value={text}
          spellCheck={false}
          autoComplete="off"
          wrap="off"
          rows={LINES}
          classNames={{ input: classes.text ?? '' }}
          onChange={(event) => onText(event.currentTarget.value)}
          onScroll={({ currentTarget: { scrollTop, scrollLeft } }) =>
            setScrolled({ top: scrollTop, left: scrollLeft })
          }
        />
      </div>
    </div>
  );
}

interface Scrolled {
  top: number;
  left: number;
}

const topOf = (line: number, { top }: Scrolled) => PADDING_PX + line * LINE_PX - top;

/** At the edge an open place is an exclamation, one that is done a check. */
function LineSign({ marks }: { marks: readonly LineMark[] }) {
  if (marks.length === 0) return null;
  const isOpen = marks.some((mark) => mark.isOpen);
  return (
    <span data-open={isOpen || undefined} className={classes.sign}>
      <Icon name={isOpen ? 'alert' : 'check'} size={14} />
    </span>
  );
}

/** The text of the line is drawn unseen, so that the mark stands exactly behind its value. */
function MarkedLine({ mark, scrolled }: { mark: LineMark; scrolled: Scrolled }) {
  const { line, lead, value, isOpen } = mark;
  return (
    <div
      className={classes.line}
      data-open={isOpen || undefined}
      style={{ top: topOf(line, scrolled), textIndent: -scrolled.left }}
    >
      {lead}
      <mark className={classes.mark}>{value}</mark>
    </div>
  );
}

/** Selects characters of the editor and brings them into view; `focus`: whether the page moves, too. */
export function selectIn(
  field: HTMLTextAreaElement | null,
  start: number,
  end: number,
  focus: FocusOptions = {},
): void {
  if (field === null) return;
  const before = field.value.slice(0, end);
  const line = before.split('\n').length - 1;
  const column = end - (before.lastIndexOf('\n') + 1);
  field.focus(focus);
  field.setSelectionRange(start, end);
  field.scrollTop = Math.max(0, line * LINE_PX - field.clientHeight / 2);
  const right = column * CHARACTER_PX + 3 * PADDING_PX;
  field.scrollLeft = right > field.clientWidth ? right - field.clientWidth / 2 : 0;
}
