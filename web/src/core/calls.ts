/** What a call to the server does. */

const SAFE = new Set(['GET', 'HEAD']);
/** They are posted since a document is too long for an address, and leave everything as it is. */
const READ_BY_POST = new Set([
  '/api/inspect',
  '/api/validate',
  '/api/maps/preview',
  '/api/maps/suggest',
]);

/** Whether the server wants the token of the session for it. */
export function needsToken(method: string): boolean {
  return !SAFE.has(method);
}

/** Whether a call only reads, so that sending it once more does nothing that nobody asked for. */
export function onlyReads(method: string, path: string): boolean {
  return SAFE.has(method) || (method === 'POST' && READ_BY_POST.has(path));
}
