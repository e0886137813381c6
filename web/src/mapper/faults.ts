/** Refusals of the engine at the rules they name, and loops in words. */
import { isApiError } from '../api/error';
import { lastStep } from '../core/paths';

export interface Faults {
  byRule: Map<number, string[]>;
  general: string[];
}

const RULE_PARAM = /^field_map\[([0-9]+)\]/;

/** What the engine refused, at the rules it names. */
export function faultsOf(error: unknown): Faults {
  const faults: Faults = { byRule: new Map(), general: [] };
  if (error === null || error === undefined || !isOfRules(error)) return faults;
  const details = isApiError(error) ? error.details : [];
  if (details.length === 0) faults.general.push(messageOf(error));
  for (const { param, message } of details) {
    const index = RULE_PARAM.exec(param ?? '')?.[1];
    if (index === undefined) faults.general.push(message);
    else added(faults.byRule, Number(index), message);
  }
  return faults;
}

/** Whether the engine refused the rules or the document; else nobody looked at them. */
const isOfRules = (error: unknown) => !isApiError(error) || error.status === 400;

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'The preview failed.';

/** Puts a value into the list of its key. */
export function added<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const own = lists.get(key);
  if (own === undefined) lists.set(key, [value]);
  else own.push(value);
}

/** "for each PO1" of the loop `PO1[*]`. */
export function forEachWords(loop: string | undefined, count: number): string {
  if (loop === undefined) return '';
  return `for each ${lastStep(loop)}${count > 1 ? ` ×${count}` : ''}`;
}
