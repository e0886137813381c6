/** How long an account keeps its documents, as somebody types it. */

export const RETENTION_MAX_DAYS = 36_500;

/** The days that a text names, null if it names none that can be kept. */
export function retentionDays(text: string): number | null {
  const days = /^[0-9]{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= RETENTION_MAX_DAYS ? days : null;
}

/** `for ever`, `1 day`, `90 days`. */
export function retentionWords(days: number | null): string {
  if (days === null) return 'forever';
  return days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;
}

/** Whether a change removes documents that would have been kept. */
export function removesMore(before: number | null, after: number | null): boolean {
  return after !== null && (before === null || after < before);
}
