import type { KeyboardEvent, RefObject } from 'react';
import type { Row, SourceNode, TargetNode } from '../core/model';
import type { Bench } from './useBench';
import type { Page } from './usePage';
import type { Saving } from './useSave';

interface Options {
  bench: Bench;
  saving: Saving;
  page: Page;
  frame: RefObject<HTMLElement | null>;
  sourceScroller: RefObject<HTMLDivElement | null>;
  targetScroller: RefObject<HTMLDivElement | null>;
}

const PANELS = ['Source', 'Target', 'Output and checks', 'Inspector']
  .map((name) => `section[aria-label="${name}"]`)
  .join(', ');
/** Where the focus goes in a panel, by what it has. */
const INSIDE = ['[role=tree]', '[role=tab][aria-selected=true]', 'input, select, button'];

function isTyping(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    (target.closest('input, textarea, select, [contenteditable]') !== null ||
      target.closest('[role=dialog]') !== null)
  );
}

/** The keys of the page and of both trees. */
export function useKeys({ bench, saving, page, frame, sourceScroller, targetScroller }: Options) {
  const { editor, connecting, links, offers, suggestions } = bench;

  const focusInspector = (selector: string) => {
    page.setPart('side');
    requestAnimationFrame(() => {
      const inspector = document.querySelector('[aria-label=Inspector]');
      inspector?.querySelector<HTMLElement>(selector)?.focus();
    });
  };
  const nextPanel = (back: boolean) => {
    const panels = [...(frame.current?.querySelectorAll<HTMLElement>(PANELS) ?? [])];
    const now = panels.findIndex((panel) => panel.contains(document.activeElement));
    const next = panels[(now + (back ? -1 : 1) + panels.length) % panels.length];
    const inside = INSIDE.map((selector) => next?.querySelector<HTMLElement>(selector));
    inside.find((each) => each instanceof HTMLElement)?.focus();
  };
  const withControl: Record<string, (event: KeyboardEvent) => void> = {
    s: () => void saving.save(),
    z: (event) => (event.shiftKey ? editor.redo() : editor.undo()),
    y: () => editor.redo(),
  };
  const alone: Record<string, (event: KeyboardEvent) => void> = {
    '/': () => {
      const side = targetScroller.current?.contains(document.activeElement) ? 'target' : 'source';
      frame.current?.querySelector<HTMLElement>(`[data-search=${side}]`)?.focus();
    },
    '?': () => page.setSheet('keys'),
  };

  const onPageKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'F6') {
      event.preventDefault();
      nextPanel(event.shiftKey);
      return;
    }
    if (event.key === 'Escape' && connecting.picked !== null) connecting.drop();
    const control = (event.ctrlKey || event.metaKey) && !event.altKey;
    // In a field the browser's own undo is meant.
    const isField = isTyping(event.target);
    const used = control
      ? event.key.toLowerCase() === 's' || !isField
        ? withControl[event.key.toLowerCase()]
        : undefined
      : isField
        ? undefined
        : alone[event.key];
    if (used === undefined) return;
    event.preventDefault();
    used(event);
  };

  const onSourceKey = (event: KeyboardEvent, row: Row<SourceNode> | null): boolean => {
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { id, path } = row.node;
    if ((event.key === 'Enter' || event.key === ' ') && path !== null) {
      connecting.pick(id);
      if (connecting.picked !== id) focusTree(targetScroller, bench.targetSide.tree);
      return true;
    }
    if (event.key.toLowerCase() === 'g') {
      const rules = new Set(links.bySource.get(id));
      const target = [...links.byTarget].find(([, own]) =>
        own.some((rule) => rules.has(rule)),
      )?.[0];
      if (target === undefined) return false;
      bench.targetSide.tree.reveal(target);
      targetScroller.current?.focus();
      return true;
    }
    const loop = row.node.loops.at(-1);
    if (loop !== undefined && (event.key === '[' || event.key === ']')) {
      const now = bench.instances.get(loop) ?? 0;
      bench.step(loop, Math.min(row.node.count - 1, now + (event.key === ']' ? 1 : -1)));
      return true;
    }
    return false;
  };

  const targetKeys: Record<string, (row: Row<TargetNode>, event: KeyboardEvent) => boolean> = {
    enter: ({ node }, event) => {
      if (connecting.picked !== null) connecting.link(connecting.picked, node.id, event.shiftKey);
      else focusInspector('input:not([readonly]), button');
      return true;
    },
    delete: ({ node }) => {
      connecting.unlink(node.id);
      return true;
    },
    f2: () => {
      focusInspector('[data-field=transform] select, [data-field=transform]');
      return true;
    },
    g: ({ node }) => {
      const [rule] = links.byTarget.get(node.id) ?? [];
      const [source] = rule === undefined ? [] : (links.sourcesOfRule.get(rule) ?? []);
      if (source === undefined) return false;
      bench.sourceSide.tree.reveal(source);
      sourceScroller.current?.focus();
      return true;
    },
    y: ({ node }) => {
      const offer = offers.get(node.id);
      if (offer !== undefined) suggestions.accept([offer]);
      return offer !== undefined;
    },
    n: ({ node }) => {
      const offer = offers.get(node.id);
      if (offer !== undefined) suggestions.reject(offer);
      return offer !== undefined;
    },
  };

  const onTargetKey = (event: KeyboardEvent, row: Row<TargetNode> | null): boolean => {
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return false;
    const name = event.key === ' ' ? 'enter' : event.key.toLowerCase();
    return targetKeys[name]?.(row, event) ?? false;
  };

  return { onPageKey, onSourceKey, onTargetKey };
}

export type Keys = ReturnType<typeof useKeys>;

/** Goes into a tree, to its active row or its first. */
function focusTree(
  scroller: RefObject<HTMLDivElement | null>,
  tree: { rows: Row<TargetNode>[]; active: string | null; setActive: (id: string) => void },
): void {
  const first = tree.rows[0];
  if (tree.active === null && first !== undefined) tree.setActive(first.node.id);
  scroller.current?.focus();
}
