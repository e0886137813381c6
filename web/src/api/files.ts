/** The files of a page or a dialog, which are loaded when it is first shown. */
import { api, data } from './client';
import { type ApiError, isApiError } from './error';

/** Style sheets that could not be loaded: the loader of the build asks for each only once. */
const lost = new Set<string>();

// The event does not bubble.
document.addEventListener('error', ({ target }) => remember(target), { capture: true });

function remember(target: EventTarget | null): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
  lost.add(target.href);
  target.remove();
}

/**
 * Loads files by `load`. Where the server cannot be reached it says so as of any other request, by
 * an `ApiError`; else they fail as they do, such as files of a version before.
 */
export function filesOf<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      await Promise.all([...lost].map(loadStyles));
      return await load();
    } catch (error) {
      throw (await offlineNow()) ?? error;
    }
  };
}

/** That the server cannot be reached; null if it answers, be it with a refusal. */
export async function offlineNow(): Promise<ApiError | null> {
  try {
    await data(api.GET('/api/session'));
  } catch (error) {
    if (isApiError(error) && error.code === 'offline') return error;
  }
  return null;
}

function loadStyles(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.addEventListener('load', () => {
      lost.delete(href);
      resolve();
    });
    link.addEventListener('error', () => reject(new Error(`${href} could not be loaded.`)));
    document.head.append(link);
  });
}
