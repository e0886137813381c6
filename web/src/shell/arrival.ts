/** Arrival at another page without a page load: screen readers announce it, and the focus moves there. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announce } from '../ui/LiveRegion';

/** Moves the focus to the headline of each new page and says its title. */
export function useArrival(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The first page is announced by the browser itself.
        if (fromLocation !== undefined && pathChanged) setTimeout(arrive);
      }),
    [router],
  );
}

function arrive(): void {
  const main = document.querySelector<HTMLElement>('main');
  if (main === null) return;
  announce(document.title);
  // A page that has put the focus where work begins keeps it there.
  if (main.contains(document.activeElement) && document.activeElement !== main) return;
  const headline = main.querySelector<HTMLElement>('h1');
  if (headline !== null) headline.tabIndex = -1;
  (headline ?? main).focus();
}
