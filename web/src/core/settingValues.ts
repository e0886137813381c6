/** The values of a partner's settings: compared with their defaults, shown, and read as typed. */
import type { Setting, SettingKind } from './partnerSettings';
import { isSame, recordOf } from './record';

export type Settings = Readonly<Record<string, unknown>>;

export const SEPARATOR_NAMES = ['elem_sep', 'seg_term', 'comp_sep', 'rep_sep'] as const;

/** Whether a setting differs from its default. */
export function isChanged({ name, default: initial }: Setting, settings: Settings): boolean {
  return !isSame(settings[name] ?? null, initial);
}

/** The default of a setting in words. */
export function defaultWords({ kind, default: initial }: Setting): string {
  switch (kind.as) {
    case 'flag':
      return initial === true ? 'yes' : 'no';
    case 'choice':
      return kind.among.find(({ value }) => value === initial)?.label ?? kind.none ?? 'none';
    case 'separators':
      return Object.values(recordOf(initial)).join(' ');
    case 'names':
      return kind.none;
    case 'number':
    case 'text':
      return initial === null ? (kind.none ?? 'none') : String(initial);
    default:
      return 'none';
  }
}

/** The four separators out of a value, those it lacks empty. */
export function separatorsOf(value: unknown): string[] {
  const members = recordOf(value);
  return SEPARATOR_NAMES.map((name) => {
    const mark = members[name];
    return typeof mark === 'string' ? mark : '';
  });
}

/** What a text field shows of a value. */
export function shownSetting(kind: SettingKind, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind.as === 'names') return Array.isArray(value) ? value.join('\n') : '';
  if (kind.as === 'severities') {
    return Object.entries(recordOf(value))
      .map(([code, severity]) => `${code}: ${String(severity)}`)
      .join('\n');
  }
  return String(value);
}

/** The value that a typed text stands for; what makes none is kept as text, for the service to refuse. */
export function typedSetting(kind: SettingKind, typed: string): unknown {
  const text = typed.trim();
  switch (kind.as) {
    case 'number':
      if (text === '') return null;
      return /^[0-9]{1,12}$/.test(text) ? Number(text) : text;
    case 'names':
      return text.split(/[\s,]+/).filter((name) => name !== '');
    case 'severities':
      return severitiesOf(text);
    default:
      return text === '' ? null : text;
  }
}

function severitiesOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [code = '', ...rest] = line.split(/[:=]/);
      return [code.trim(), rest.join(':').trim()];
    }),
  );
}

/** The setting that the parameter of a fault belongs to, such as `settings.overlays[0]`; else empty. */
export function settingOfParam(param: string): string {
  return /^settings\.(\w+)/.exec(param)?.[1] ?? '';
}
