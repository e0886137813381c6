/**
 * What can be agreed with a partner about documents: each setting with its default, its meaning and
 * how it is entered. `make openapi` writes the table from the fields of `PartnerSettings`.
 */
import groups from './partnerSettings.json';

export type SettingKind =
  | { as: 'flag' }
  | { as: 'choice'; among: readonly { value: string; label: string }[]; none?: string }
  | { as: 'number'; least: number; most: number; none?: string }
  | { as: 'text'; placeholder: string; most: number; none?: string }
  | { as: 'separators' }
  | { as: 'names'; placeholder: string; none: string }
  | { as: 'severities' };

export interface Setting {
  name: string;
  label: string;
  means: string;
  kind: SettingKind;
  /** As JSON has it. */
  default: unknown;
  /** Nothing reads it yet: any value but the default is refused. */
  isPlanned?: true;
}

export interface SettingGroup {
  title: string;
  settings: readonly Setting[];
}

// JSON has no literal types; the tests read every kind.
export const SETTING_GROUPS = groups as readonly unknown[] as readonly SettingGroup[];

export const SETTINGS: readonly Setting[] = SETTING_GROUPS.flatMap(({ settings }) => settings);
