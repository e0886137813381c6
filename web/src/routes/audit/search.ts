import { countOf, optional, textOf } from '../search';

/** `before`: only entries with a smaller id, which is how this list is paged. */
export const auditSearch = optional((search) => ({
  action: textOf(search, 'action'),
  actor: textOf(search, 'actor'),
  date_from: textOf(search, 'date_from'),
  date_to: textOf(search, 'date_to'),
  before: countOf(search, 'before'),
}));
