import { Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import type { Setting, SettingKind } from '../../core/partnerSettings';
import { SEPARATOR_NAMES, separatorsOf } from '../../core/settingValues';
import classes from './partners.module.css';

interface Props {
  setting: Setting;
  /** As the form has it: text where it is typed, else as JSON has it. */
  value: unknown;
  fault: string | null;
  onChange: (value: unknown) => void;
}

/** The field of a setting, by its kind; named by the setting, described by what it means. */
export function SettingField({ setting, value, fault, onChange }: Props) {
  const { kind, label, name } = setting;
  const named = { 'aria-label': label, 'aria-describedby': `about-${name}`, error: fault };
  switch (kind.as) {
    case 'flag':
      return (
        <Checkbox
          {...named}
          label="yes"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...named}
          value={typeof value === 'string' ? value : ''}
          data={choices(kind)}
          onChange={(event) => onChange(event.currentTarget.value || null)}
        />
      );
    case 'separators':
      return <Separators {...{ setting, value, fault, onChange }} />;
    default:
      return <Typed {...{ kind, named, value: textOf(value), onChange }} />;
  }
}

interface TypedProps {
  kind: SettingKind;
  named: { 'aria-label': string; 'aria-describedby': string; error: string | null };
  value: string;
  onChange: (value: string) => void;
}

function Typed({ kind, named, value, onChange }: TypedProps) {
  const entered = {
    ...{ ...named, value },
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (kind.as === 'names') return <Textarea {...entered} rows={3} placeholder={kind.placeholder} />;
  if (kind.as === 'severities') {
    return <Textarea {...entered} rows={3} placeholder="line_count_wrong: warning" />;
  }
  if (kind.as === 'text') {
    return <TextInput {...entered} maxLength={kind.most} placeholder={kind.placeholder} />;
  }
  const none = kind.as === 'number' ? kind.none : undefined;
  return <TextInput {...entered} inputMode="numeric" maxLength={12} placeholder={none ?? ''} />;
}

function choices(kind: Extract<SettingKind, { as: 'choice' }>) {
  const none = kind.none === undefined ? [] : [{ value: '', label: kind.none }];
  return [...none, ...kind.among];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const MARKS = [
  'Element separator',
  'Segment terminator',
  'Component separator',
  'Repetition separator',
];

function Separators({ setting, value, fault, onChange }: Props) {
  const marks = separatorsOf(value);
  const change = (place: number, mark: string) =>
    onChange(
      Object.fromEntries(
        SEPARATOR_NAMES.map((name, at) => [name, at === place ? mark : (marks[at] ?? '')]),
      ),
    );
  return (
    <fieldset
      className={classes.plain}
      aria-label={setting.label}
      aria-describedby={`about-${setting.name}`}
    >
      <div className={classes.marks}>
        {MARKS.map((label, place) => (
          <TextInput
            key={label}
            aria-label={label}
            title={label}
            maxLength={1}
            w={44}
            ff="monospace"
            value={marks[place] ?? ''}
            error={fault !== null}
            onChange={(event) => change(place, event.currentTarget.value)}
          />
        ))}
      </div>
      {fault !== null && (
        <Text size="sm" c="var(--ls-err)" role="alert">
          {fault}
        </Text>
      )}
    </fieldset>
  );
}
