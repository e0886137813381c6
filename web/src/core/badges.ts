/** Which badge a row gets: by the type that is known, else by what all its sample values are. */

import type { Badge } from './model';

const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/;
const DATE =
  /^(?:(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:T.*)?|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))$/;
const MAX_LOOKED_AT = 50;

const BY_JSON_TYPE: Readonly<Record<string, Badge>> = {
  number: 'num',
  boolean: 'bool',
  object: 'obj',
  array: 'arr',
};

/** Of a value whose type says little: a date or a number if all samples look like one. */
export function badgeOfValues(values: readonly string[]): Badge {
  const filled = values.filter((value) => value !== '').slice(0, MAX_LOOKED_AT);
  if (filled.length === 0) {
    return 'str';
  }
  if (filled.every((value) => DATE.test(value))) {
    return 'date';
  }
  return filled.every((value) => NUMBER.test(value) && !/^0[0-9]/.test(value)) ? 'num' : 'str';
}

/** Of a JSON type; texts are looked at for dates only, since `"10"` is no number there. */
export function badgeOfJson(type: string | null, values: readonly string[]): Badge {
  const known = BY_JSON_TYPE[type ?? ''];
  return known ?? (badgeOfValues(values) === 'date' ? 'date' : 'str');
}

/** Of a dictionary type such as `DT`, `N0`, `R` or `AN 1..22`. */
export function badgeOfX12(type: string | null): Badge {
  const kind = (type ?? '').split(' ')[0] ?? '';
  if (kind === 'DT') {
    return 'date';
  }
  return kind === 'R' || /^N[0-9]?$/.test(kind) ? 'num' : 'str';
}
