import { optional } from '../search';
import { PERIODS } from './periods';

/** `period`: how many days the figures and charts are of. */
export const overviewSearch = optional((search) => ({
  period: PERIODS.find((days) => days === Number(search.period)),
}));
