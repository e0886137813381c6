/** Where to go after the login: only a path of this application, so that no link can lead elsewhere. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/app(?:[/?#][^\\]*)?$/.test(next) && !next.includes('//')
    ? next
    : '/app';
}
