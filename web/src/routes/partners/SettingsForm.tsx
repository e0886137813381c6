import { Button } from '@mantine/core';
import type { ErrorDetail } from '../../api/error';
import { SETTING_GROUPS, SETTINGS, type Setting } from '../../core/partnerSettings';
import {
  defaultWords,
  isChanged,
  settingOfParam,
  shownSetting,
  typedSetting,
} from '../../core/settingValues';
import { Panel } from '../../ui/Panel';
import { StatusBadge } from '../../ui/StatusBadge';
import classes from './partners.module.css';
import type { Partner } from './queries';
import { SectionForm } from './SectionForm';
import { SettingField } from './SettingField';
import { type Part, type Section, useSection } from './useSection';

/** Values as the fields have them: what is typed stays text until it is saved. */
type Entered = Record<string, unknown>;

const TYPED: readonly Setting['kind']['as'][] = ['number', 'text', 'names', 'severities'];

function entered({ kind }: Setting, value: unknown): unknown {
  return TYPED.includes(kind.as) ? shownSetting(kind, value) : (value ?? null);
}

function meant({ kind }: Setting, value: unknown): unknown {
  return typeof value === 'string' && TYPED.includes(kind.as) ? typedSetting(kind, value) : value;
}

const PART: Part<Entered> = {
  read: (partner) => {
    const settings: Record<string, unknown> = partner.settings;
    return Object.fromEntries(
      SETTINGS.map((each) => [each.name, entered(each, settings[each.name])]),
    );
  },
  write: (values, { settings }) => ({
    settings: {
      ...settings,
      ...Object.fromEntries(SETTINGS.map((each) => [each.name, meant(each, values[each.name])])),
    },
  }),
  facing: (details: readonly ErrorDetail[]) =>
    Object.fromEntries(
      details.flatMap(({ param = '', message }) =>
        settingOfParam(param) === '' ? [] : [[settingOfParam(param), message]],
      ),
    ),
  saved: 'The settings of the partner were saved.',
};

/** What is agreed about documents: every setting, its default, and whether it differs. */
export function SettingsForm({ partner }: { partner: Partner }) {
  const section = useSection(partner, PART);
  return (
    <SectionForm label="Settings" section={section}>
      {SETTING_GROUPS.map(({ title, settings }) => (
        <Panel key={title} title={title}>
          {settings
            .filter((setting) => !setting.isPlanned || isChanged(setting, partner.settings))
            .map((setting) => (
              <SettingRow key={setting.name} setting={setting} section={section} />
            ))}
        </Panel>
      ))}
    </SectionForm>
  );
}

function SettingRow({ setting, section }: { setting: Setting; section: Section<Entered> }) {
  const { name, label, means } = setting;
  const value = section.values[name];
  const differs = isChanged(setting, { [name]: meant(setting, value) });
  return (
    <div className={classes.setting}>
      <div>
        <p className={classes.settingName}>
          {label} <code>{name}</code> {differs && <StatusBadge tone="warn">changed</StatusBadge>}
        </p>
        <p className={classes.settingWords} id={`about-${name}`}>
          {means} Default: {defaultWords(setting)}.
          {setting.isPlanned && ' It is not supported yet: reset it before you save.'}
        </p>
      </div>
      <div>
        <SettingField
          setting={setting}
          value={value}
          fault={section.faults[name] ?? null}
          onChange={(changed) => section.change({ [name]: changed })}
        />
        {differs && (
          <Button
            variant="default"
            size="compact-sm"
            mt={4}
            aria-label={`Reset ${label}`}
            onClick={() => section.change({ [name]: entered(setting, setting.default) })}
          >
            Reset
          </Button>
        )}
      </div>
    </div>
  );
}
