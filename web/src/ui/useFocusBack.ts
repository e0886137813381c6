import { useEffect } from 'react';

/**
 * For a dialog that is only there while it is open: when it goes, the focus returns to where it was
 * asked for, or to the page if that is gone or idle, such as a button for what is done now.
 */
export function useFocusBack(): void {
  useEffect(() => {
    const origin = document.activeElement;
    return () => {
      // After the dialog: it keeps the focus inside to its end.
      setTimeout(() => {
        const isThere = origin?.isConnected && !origin.matches(':disabled');
        const next = isThere ? origin : document.querySelector('main');
        if (next instanceof HTMLElement) next.focus();
      });
    };
  }, []);
}
