import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { CODE_CHECKS, formatName } from '../../core/inspection';
import type { Format } from '../../core/model';
import { setsQuery } from '../../mapper/server';
import classes from './Inspect.module.css';
import type { Inspection, InspectOptions as Options } from './queries';

interface Props {
  options: Options;
  result: Inspection | undefined;
  onChange: (change: Options) => void;
}

const FORMATS: readonly Format[] = ['x12', 'json', 'xml', 'csv'];

/** How the document is read and validated: as it declares, or otherwise. */
export function InspectOptions({ options, result, onChange }: Props) {
  const sets = useQuery(setsQuery);
  const ofSet = (sets.data ?? []).filter(({ tx_set }) => tx_set === result?.tx_set);
  const release = options.release ?? result?.version;
  const guides = ofSet.filter((each) => each.release === release).flatMap((each) => each.guides);
  const isX12 = result === undefined ? options.format === 'x12' : result.format === 'x12';
  return (
    <div className={classes.options}>
      <Choice
        label="Format"
        first="detected"
        value={options.format}
        among={FORMATS.map((value) => ({ value, label: formatName(value) }))}
        onChange={(value) =>
          onChange({ format: FORMATS.find((each) => each === value), guide: undefined })
        }
      />
      {isX12 && (
        <>
          <Choice
            label="Release"
            first={`from the document${result?.version ? ` (${result.version})` : ''}`}
            value={options.release}
            among={ofSet.map((each) => ({ value: each.release, label: each.release }))}
            onChange={(value) => onChange({ release: value, guide: undefined })}
          />
          <Choice
            label="Guide"
            first={`from the document${result?.guide ? ` (${result.guide})` : ''}`}
            value={options.guide}
            among={guides.map((value) => ({ value, label: value }))}
            onChange={(value) => onChange({ guide: value })}
          />
          <Choice
            label="Codes"
            first="standard"
            value={options.codes}
            among={[
              { value: 'partner', label: 'own' },
              { value: 'off', label: 'not checked' },
            ]}
            onChange={(value) => onChange({ codes: CODE_CHECKS.find((each) => each === value) })}
            hint="Own: the lists of the standard, with the codes that the operator imported. Codes that a guide names are always checked."
          />
        </>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  first: string;
  value: string | undefined;
  among: { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
  hint?: string;
}

function Choice({ label, first, value = '', among, onChange, hint }: ChoiceProps) {
  // What an address names stays shown, even if nothing offers it.
  const known = value === '' || among.some((each) => each.value === value);
  const named = known ? among : [...among, { value, label: value }];
  const id = useId();
  return (
    <div className={classes.option}>
      <label htmlFor={id}>{label}</label>
      <NativeSelect
        id={id}
        size="xs"
        value={value}
        data={[{ value: '', label: first }, ...named]}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={classes.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
