/** How rows are said: names of machines become words. */
import type { Badge } from '../core/model';

const BADGES: Record<Badge, string> = {
  str: 'text',
  num: 'number',
  date: 'date',
  bool: 'yes or no',
  obj: 'object',
  arr: 'array',
  seg: 'segment',
  loop: 'loop',
};

export function badgeWord(badge: Badge): string {
  return BADGES[badge];
}

/** `orderNumber` and `order_number` as `order number`. */
export function spoken(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
    .trim();
}

/** Parts of a sentence with commas; what is empty is left out. */
export function listed(...parts: (string | false | null | undefined)[]): string {
  return parts.filter((part) => part !== '' && part !== false && part != null).join(', ');
}

const LONGEST = 120;

/** A sample value, cut where nobody would read on. */
export function short(value: string): string {
  return value.length <= LONGEST ? value : `${value.slice(0, LONGEST)}…`;
}
