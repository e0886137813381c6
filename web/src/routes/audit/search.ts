import { countOf, dayOf, formOf, optional, textOf } from '../../core/address';

/** `before`: only entries with a smaller id, which is how this list is paged. */
export const auditSearch = optional((search) => ({
  action: formOf(search, 'action', /^[a-z_.]{1,60}$/),
  actor: textOf(search, 'actor'),
  object: textOf(search, 'object'),
  date_from: dayOf(search, 'date_from'),
  date_to: dayOf(search, 'date_to'),
  before: countOf(search, 'before'),
}));
