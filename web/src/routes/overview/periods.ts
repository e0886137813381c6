/** How many days the figures of the overview can be of: the server counts 90 at most. */
export const PERIODS = [1, 7, 30, 90] as const;

export type PeriodLength = (typeof PERIODS)[number];

export const DEFAULT_PERIOD: PeriodLength = 30;
