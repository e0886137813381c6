import { countOf, optional } from '../../core/address';
import { PERIODS } from './periods';

/** `period`: how many days the figures and charts are of. */
export const overviewSearch = optional((search) => ({
  period: PERIODS.find((days) => days === countOf(search, 'period')),
}));
