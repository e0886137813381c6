import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import type { Row, SourceNode, TargetNode } from '../core/model';
import { useSingleKeys } from '../shell/shortcuts';
import { useSaveTyped } from './typed';
import type { MapperState } from './useMapper';
import type { Page } from './usePage';
import type { Saving } from './useSave';

type KeyPress = globalThis.KeyboardEvent;

interface Options {
  mapper: MapperState;
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

type KeyTable = Record<string, (event: KeyPress) => void>;
interface KeyTables {
  plain: KeyTable;
  control: KeyTable;
}

/** Where a key is pressed: what it means depends on that. */
function placeOf(target: EventTarget | null): 'page' | 'field' | 'dialog' {
  if (!(target instanceof Element)) return 'page';
  if (target.closest('[role=dialog], [role=menu]') !== null) return 'dialog';
  return target.closest('input, textarea, select, [contenteditable]') === null ? 'page' : 'field';
}

/** The keys of the page and of both trees. */
export function useKeys({ mapper, saving, page, frame, sourceScroller, targetScroller }: Options) {
  const { editor, connecting, links, offers, suggestions } = mapper;

  const [hasSingleKeys] = useSingleKeys();
  const save = useSaveTyped(saving);

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
  const withControl: KeyTable = {
    s: () => void save(),
    z: (event) => (event.shiftKey ? editor.redo() : editor.undo()),
    y: () => editor.redo(),
  };
  const saves: KeyTable = { s: () => void save() };
  const anywhere: KeyTable = { F6: (event) => nextPanel(event.shiftKey) };
  const alone: KeyTable = {
    '/': () => {
      const side = targetScroller.current?.contains(document.activeElement) ? 'target' : 'source';
      frame.current?.querySelector<HTMLElement>(`[data-search=${side}]`)?.focus();
    },
    '?': () => page.setSheet('keys'),
    ...anywhere,
    Escape: () => connecting.drop(),
  };
  const tables = {
    page: { plain: alone, control: withControl },
    // In a field the browser's own undo is meant, and a letter is a letter.
    field: { plain: anywhere, control: saves },
    dialog: { plain: {}, control: saves },
  };
  const actionOf = (event: KeyPress) => {
    const { plain, control }: KeyTables = tables[placeOf(event.target)];
    if (isControl(event)) return control[keyOf(event)];
    return event.key.length > 1 || hasSingleKeys ? plain[event.key] : undefined;
  };
  // On the document: when a button that has the focus is disabled, the focus is nowhere on the page.
  // The shell listens on the window, so what is used here never reaches it.
  const onPageKey = useRef<(event: KeyPress) => void>(() => {});
  onPageKey.current = (event) => {
    const action = event.defaultPrevented ? undefined : actionOf(event);
    if (action === undefined) return;
    if (event.key !== 'Escape') event.preventDefault();
    action(event);
  };
  useEffect(() => {
    const listener = (event: KeyPress) => onPageKey.current(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);

  const sourceKeys: Record<string, (row: Row<SourceNode>) => boolean> = {
    enter: ({ node, expanded }) => {
      if (node.path !== null) {
        connecting.pick(node.id);
        if (connecting.picked !== node.id) focusTree(targetScroller, mapper.targetSide.tree);
      } else if (expanded !== null) mapper.sourceSide.tree.toggle([node.id], !expanded);
      return true;
    },
    g: ({ node }) => {
      const rules = new Set(links.bySource.get(node.id));
      const isLinked = (own: number[]) => own.some((rule) => rules.has(rule));
      const target = [...links.byTarget].find(([, own]) => isLinked(own))?.[0];
      if (target === undefined) return false;
      mapper.targetSide.tree.reveal(target);
      targetScroller.current?.focus();
      return true;
    },
    '[': (row) => stepped(row, -1),
    ']': (row) => stepped(row, 1),
  };
  const stepped = ({ node }: Row<SourceNode>, by: number): boolean => {
    const loop = node.loops.at(-1);
    if (loop === undefined) return false;
    const now = mapper.instances.get(loop) ?? 0;
    mapper.step(loop, Math.min(node.count - 1, now + by));
    return true;
  };

  const targetKeys: Record<string, (row: Row<TargetNode>, event: KeyboardEvent) => boolean> = {
    enter: ({ node, expanded }, event) => {
      if (connecting.picked !== null) connecting.link(connecting.picked, node.id, event.shiftKey);
      else if (node.path === null && expanded !== null)
        mapper.targetSide.tree.toggle([node.id], !expanded);
      else focusInspector('input:not([readonly]), button');
      return true;
    },
    delete: ({ node }) => {
      connecting.unlink(node.id);
      return true;
    },
    f2: () => {
      focusInspector('[data-field=transform]');
      return true;
    },
    g: ({ node }) => {
      const [rule] = links.byTarget.get(node.id) ?? [];
      const [source] = rule === undefined ? [] : (links.sourcesOfRule.get(rule) ?? []);
      if (source === undefined) return false;
      mapper.sourceSide.tree.reveal(source);
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

  const onSourceKey = (event: KeyboardEvent, row: Row<SourceNode> | null): boolean =>
    row !== null && !isChord(event) && (sourceKeys[nameOf(event)]?.(row) ?? false);

  const onTargetKey = (event: KeyboardEvent, row: Row<TargetNode> | null): boolean =>
    row !== null && !isChord(event) && (targetKeys[nameOf(event)]?.(row, event) ?? false);

  return { onSourceKey, onTargetKey };
}

const isControl = (event: KeyPress) => (event.ctrlKey || event.metaKey) && !event.altKey;
const keyOf = (event: KeyPress) => event.key.toLowerCase();
const isChord = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey;
const nameOf = (event: KeyboardEvent) => (event.key === ' ' ? 'enter' : event.key.toLowerCase());

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
