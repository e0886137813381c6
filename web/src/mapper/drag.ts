/**
 * Drawing a line from a source row to a target row with the pointer. While it moves nothing of
 * React runs: the line and the marks of rows are set directly, so that 500 rows cost nothing.
 */

const THRESHOLD_PX = 4;
const EDGE_PX = 36;
const SCROLL_PX_PER_FRAME = 12;

/** What a drag draws on. */
export interface Stage {
  /** Holds both panels; `data-dragging` on it dims what nothing can be dropped on. */
  frame: HTMLElement;
  line: SVGPathElement;
  /** Says why a row under the pointer is unsuitable. */
  hint: HTMLElement;
}

interface Drag {
  sourceId: string;
  x: number;
  y: number;
  /** Where the line begins: the edge of the panel next to the row. */
  from: { x: number; y: number };
  over: Element | null;
  moving: boolean;
  pointer: { x: number; y: number };
  frameRequest: number;
}

/** Starts a drag at a pointer-down; `drop` runs once if it ends on a target row. */
export function beginDrag(
  event: PointerEvent,
  panel: HTMLElement,
  stage: Stage,
  drop: (sourceId: string, targetId: string, combine: boolean) => void,
): void {
  const row = event.target instanceof Element ? event.target.closest('[data-node]') : null;
  const sourceId = row?.getAttribute('data-node') ?? '';
  if (event.button !== 0 || sourceId === '' || row?.hasAttribute('data-unsuitable')) return;
  const drag: Drag = {
    sourceId,
    x: event.clientX,
    y: event.clientY,
    from: startOf(row, panel),
    over: null,
    moving: false,
    pointer: { x: event.clientX, y: event.clientY },
    frameRequest: 0,
  };
  const stop = new AbortController();
  const listen = { signal: stop.signal };
  const end = () => {
    stop.abort();
    cancelAnimationFrame(drag.frameRequest);
    if (drag.moving) clear(drag, stage);
    if (panel.hasPointerCapture(event.pointerId)) panel.releasePointerCapture(event.pointerId);
  };
  const move = (moved: PointerEvent) => {
    drag.pointer = { x: moved.clientX, y: moved.clientY };
    const far = Math.hypot(moved.clientX - drag.x, moved.clientY - drag.y) >= THRESHOLD_PX;
    if (!drag.moving && far) {
      drag.moving = true;
      panel.setPointerCapture(event.pointerId);
      stage.frame.dataset.dragging = 'true';
      drag.frameRequest = requestAnimationFrame(() => scroll(drag, stage));
    }
    if (drag.moving) draw(drag, stage);
  };
  const up = (released: PointerEvent) => {
    const target = drag.moving ? suitable(drag.over) : null;
    end();
    if (target !== null) drop(drag.sourceId, target, released.shiftKey);
  };
  panel.addEventListener('pointermove', move, listen);
  panel.addEventListener('pointerup', up, listen);
  panel.addEventListener('pointercancel', end, listen);
  const cancel = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Escape') return;
    pressed.stopPropagation();
    end();
  };
  window.addEventListener('keydown', cancel, { ...listen, capture: true });
}

function startOf(row: Element | null, panel: HTMLElement): { x: number; y: number } {
  const box = row?.getBoundingClientRect();
  const right = panel.getBoundingClientRect().right;
  return { x: right - 8, y: box === undefined ? 0 : box.top + box.height / 2 };
}

function suitable(row: Element | null): string | null {
  return row === null || row.hasAttribute('data-unsuitable') ? null : row.getAttribute('data-node');
}

function draw(drag: Drag, stage: Stage): void {
  const frame = stage.frame.getBoundingClientRect();
  const { x, y } = drag.pointer;
  const [fromX, fromY] = [drag.from.x - frame.left, drag.from.y - frame.top];
  const [toX, toY] = [x - frame.left, y - frame.top];
  const middle = (fromX + toX) / 2;
  stage.line.setAttribute(
    'd',
    `M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}`,
  );
  const under = document.elementFromPoint(x, y)?.closest('[data-panel=target] [data-node]') ?? null;
  if (under !== drag.over) mark(drag, stage, under);
  stage.hint.style.transform = `translate(${toX + 12}px, ${toY + 12}px)`;
}

function mark(drag: Drag, stage: Stage, under: Element | null): void {
  drag.over?.removeAttribute('data-drop');
  drag.over = under;
  const reason = under?.getAttribute('data-unsuitable') ?? '';
  under?.setAttribute('data-drop', reason === '' ? 'yes' : 'no');
  stage.hint.textContent = reason;
}

function clear(drag: Drag, stage: Stage): void {
  drag.over?.removeAttribute('data-drop');
  delete stage.frame.dataset.dragging;
  stage.line.setAttribute('d', '');
  stage.hint.textContent = '';
}

// Near the upper or the lower edge of a panel the panel scrolls, as long as the pointer stays there.
function scroll(drag: Drag, stage: Stage): void {
  drag.frameRequest = requestAnimationFrame(() => scroll(drag, stage));
  for (const panel of stage.frame.querySelectorAll('[data-panel]')) {
    const by = scrollStep(panel.getBoundingClientRect(), drag.pointer);
    if (by === 0) continue;
    const before = panel.scrollTop;
    panel.scrollTop += by;
    if (panel.scrollTop !== before) draw(drag, stage);
  }
}

function scrollStep(box: DOMRect, { x, y }: { x: number; y: number }): number {
  if (x < box.left || x > box.right) return 0;
  if (y < box.top + EDGE_PX) return -SCROLL_PX_PER_FRAME;
  return y > box.bottom - EDGE_PX ? SCROLL_PX_PER_FRAME : 0;
}
