import { countOf, optional, textOf } from '../search';

export const auditSearch = optional((search) => ({
  action: textOf(search, 'action'),
  actor: textOf(search, 'actor'),
  object: textOf(search, 'object'),
  date_from: textOf(search, 'date_from'),
  date_to: textOf(search, 'date_to'),
  offset: countOf(search, 'offset'),
}));
