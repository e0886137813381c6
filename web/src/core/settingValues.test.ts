import { expect, test } from 'vitest';
import { SETTING_GROUPS, SETTINGS, type SettingKind } from './partnerSettings';
import { isSame } from './record';
import {
  defaultWords,
  isChanged,
  separatorsOf,
  settingOfParam,
  shownSetting,
  typedSetting,
} from './settingValues';

const DEFAULTS = Object.fromEntries(SETTINGS.map((each) => [each.name, each.default]));
const NUMBER: SettingKind = { as: 'number', least: 1, most: 9 };

test('no default counts as changed, any other value does', () => {
  expect(SETTINGS.filter((each) => isChanged(each, DEFAULTS))).toEqual([]);
  expect(SETTINGS.filter((each) => isChanged(each, {})).map(({ name }) => name)).not.toContain(
    'charset',
  );
  const other = Object.fromEntries(SETTINGS.map(({ name }) => [name, 'other']));
  expect(SETTINGS.filter((each) => isChanged(each, other))).toHaveLength(SETTINGS.length);
});

test('every setting stands in one group', () => {
  expect(new Set(SETTINGS.map(({ name }) => name)).size).toBe(SETTINGS.length);
  expect(SETTING_GROUPS).toHaveLength(4);
});

test('the order of members makes no difference', () => {
  expect(isSame({ a: [1, { b: 2, c: null }] }, { a: [1, { c: null, b: 2 }] })).toBe(true);
  expect(isSame({ a: 1 }, { a: '1' })).toBe(false);
});

test('a value comes back as it was typed', () => {
  const severities: SettingKind = { as: 'severities' };
  const names: SettingKind = { as: 'names', placeholder: '', none: 'none' };
  const lenient = { line_count_wrong: 'warning', code_unknown: 'info' };
  expect(typedSetting(severities, shownSetting(severities, lenient))).toEqual(lenient);
  expect(typedSetting(names, shownSetting(names, ['a', 'b']))).toEqual(['a', 'b']);
  expect(typedSetting(NUMBER, shownSetting(NUMBER, 7))).toBe(7);
  expect(shownSetting(NUMBER, null)).toBe('');
  expect(shownSetting(names, 'x')).toBe('');
});

test('what is no value goes to the service as it stands', () => {
  expect([typedSetting(NUMBER, ' '), typedSetting(NUMBER, '1e3')]).toEqual([null, '1e3']);
  expect(typedSetting({ as: 'text', placeholder: '', most: 1 }, ' ')).toBeNull();
  expect(typedSetting({ as: 'severities' }, 'nonsense')).toEqual({ nonsense: '' });
});

test('defaults in words', () => {
  const words = Object.fromEntries(SETTINGS.map((each) => [each.name, defaultWords(each)]));
  expect(words).toMatchObject({
    ...{ separators: '* ~ > ^', fixed_separators: 'no', ack_accepted_sets: 'yes' },
    ...{ ta1: 'where ISA14 asks for it', charset: 'not agreed: others only warn' },
    ...{ dup_window_days: '30', delivery_deadline_hours: 'by the schedule', leniency: 'none' },
    ...{ inbound_networks: 'anywhere' },
  });
});

test('separators are four, and a fault knows its setting', () => {
  expect(separatorsOf({ elem_sep: '|', comp_sep: 1 })).toEqual(['|', '', '', '']);
  expect(settingOfParam('settings.separators.elem_sep')).toBe('separators');
  expect(settingOfParam('settings.overlays[0]')).toBe('overlays');
  expect(settingOfParam('name')).toBe('');
});
