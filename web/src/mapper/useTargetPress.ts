import type { Row, TargetNode } from '../core/model';
import type { MapperState } from './useMapper';
import type { Page } from './usePage';
import type { Width } from './useWidth';

type Press = (row: Row<TargetNode>, part: string, combine: boolean) => void;

/** What a press on a target row, or on a part of it, does. */
export function useTargetPress(mapper: MapperState, page: Page, width: Width): Press {
  const { connecting, suggestions, offers, targetSide, links } = mapper;
  const parts: Record<string, (id: string) => void> = {
    accept: (id) => {
      const offer = offers.get(id);
      if (offer !== undefined) suggestions.accept([offer]);
    },
    reject: (id) => {
      const offer = offers.get(id);
      if (offer !== undefined) suggestions.reject(offer);
    },
    constant: (id) => {
      page.setConstantFor(id);
      page.setPart('side');
    },
  };
  const select = ({ node, expanded }: Row<TargetNode>) => {
    if (node.path === null) {
      if (expanded !== null) targetSide.tree.toggle([node.id], !expanded);
      return;
    }
    // Where there is room for the target alone, a press leads on to what belongs to the row.
    if (width !== 'narrow') return;
    if (links.byTarget.has(node.id)) page.setPart('side');
    else page.setSheet('source');
  };
  return (row, part, combine) => {
    const { id, path } = row.node;
    const { picked } = connecting;
    if (parts[part] !== undefined) parts[part](id);
    else if (picked !== null && path !== null) connecting.link(picked, id, combine);
    else select(row);
  };
}
