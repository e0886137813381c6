import { useEffect, useRef, useState } from 'react';
import { type DocumentTree, rowOfPath } from '../../core/documentTree';

const WRITE_AFTER_MS = 300;

/**
 * The chosen row of a tree, as it also stands in the address. The address follows a moment later:
 * a browser refuses to change it at the pace of a held arrow key.
 */
export function useChosenRow(
  tree: DocumentTree,
  at: string | undefined,
  write: (path: string) => void,
): [number, (id: number) => void] {
  const [chosen, setChosen] = useState(() => rowOfPath(tree, at ?? '') ?? 0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (at === undefined) return;
    clearTimeout(timer.current);
    setChosen((now) => (tree.items[now]?.node.path === at ? now : (rowOfPath(tree, at) ?? now)));
  }, [tree, at]);
  const choose = (id: number) => {
    setChosen(id);
    clearTimeout(timer.current);
    const path = tree.items[id]?.node.path;
    if (path !== undefined) timer.current = setTimeout(() => write(path), WRITE_AFTER_MS);
  };
  return [chosen, choose];
}
