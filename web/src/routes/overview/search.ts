import { optional, wordOf } from '../search';

/** `period`: what the figures and charts are about. */
export const overviewSearch = optional((search) => ({
  period: wordOf(search, 'period', ['1', '7', '30', '90'] as const),
}));
