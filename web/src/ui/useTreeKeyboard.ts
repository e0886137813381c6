import { type KeyboardEvent, useRef } from 'react';
import { type TreeAction, type TreeView, treeAction, typedRow } from '../core/treeKeys';

/** A pause longer than this begins a new word. */
const TYPED_MS = 700;

interface Doing {
  choose: (id: number) => void;
  expand: (ids: number[]) => void;
  toggle: (id: number) => void;
}

/** The keys of a tree: arrows, Home, End, pages, asterisk, Enter, and typing the name of a row. */
export function useTreeKeyboard(view: TreeView, doing: Doing): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 });
  const typeAhead = (key: string) => {
    const now = Date.now();
    const text = now - typed.current.at < TYPED_MS ? typed.current.text + key : key;
    typed.current = { text, at: now };
    const found = typedRow(view, text);
    if (found !== null) doing.choose(found);
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = treeAction(view, event.key);
    if (action !== null) {
      event.preventDefault();
      act(view, doing, action);
    } else if (/^[\p{L}\p{N}@[]$/u.test(event.key)) {
      typeAhead(event.key);
    }
  };
}

function act(view: TreeView, doing: Doing, action: TreeAction): void {
  switch (action.kind) {
    case 'go':
      doing.choose(action.id);
      break;
    case 'expand':
      doing.expand(action.ids);
      break;
    case 'collapse':
      doing.toggle(action.id);
      break;
    case 'choose':
      if ((view.tree.items[view.active]?.node.children.length ?? 0) > 0) doing.toggle(view.active);
  }
}
