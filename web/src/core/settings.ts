/** What a map is besides its rules, as the dialog of its settings changes it. */

import type { MapState } from './model';

const SETTINGS = [
  'source_fmt',
  'target_fmt',
  'tx_set',
  'direction',
  'description',
  'target_sample',
  'lookups',
] as const;

/** Only what was touched: the rest stays as the map has it, also when that changes meanwhile. */
export type SettingsChange = Partial<Pick<MapState, (typeof SETTINGS)[number]>>;

/** Whether a change would make the map another one. */
export function isChanged(state: MapState, change: SettingsChange): boolean {
  return SETTINGS.some(
    (name) => name in change && JSON.stringify(change[name]) !== JSON.stringify(state[name]),
  );
}
