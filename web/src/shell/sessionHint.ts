/**
 * Whether this browser was logged in when it was last looked at. It proves nothing and opens nothing:
 * it only spares the login page a question whose answer is no.
 */
const KEY = 'longshore.logged-in';

export const sessionHint = {
  isLikely(): boolean {
    try {
      return localStorage.getItem(KEY) === 'yes';
    } catch {
      return false;
    }
  },
  remember(loggedIn: boolean): void {
    try {
      if (loggedIn) localStorage.setItem(KEY, 'yes');
      else localStorage.removeItem(KEY);
    } catch {
      // Storage may be switched off; then the login page shows its form.
    }
  },
};

/** Leaves for the login page, which is a whole new page: nothing of the session stays in memory. */
export function leave(): void {
  sessionHint.remember(false);
  window.location.replace('/login');
}
