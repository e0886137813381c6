/** The days that a list is narrowed to. */

/** Both days count; undefined: no end. A day is as an address has it, such as `2026-02-01`. */
export interface Period {
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** Whether its first day is after its last, so that nothing can be in between. */
export function isBackwards({ date_from, date_to }: Period): boolean {
  return date_from !== undefined && date_to !== undefined && date_from > date_to;
}
