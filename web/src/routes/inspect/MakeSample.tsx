import { Button, Modal, NativeSelect, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import {
  definitionChoices,
  definitionParameters,
  faultChoices,
  sampleName,
  setChoices,
} from '../../core/madeSamples';
import { madeSample, sampleFaultsQuery, setsQuery } from '../../mapper/server';
import { Icon } from '../../ui/Icon';
import { ErrorState, QueryState } from '../../ui/States';
import { useSubmission } from '../../ui/useSubmission';

type Sets = Schemas['SchemaEntry'][];

interface Props {
  onDocument: (text: string, name: string) => void;
}

const KINDS = [
  { value: 'plain', label: 'Plain: what is typical' },
  { value: 'minimal', label: 'Minimal: what is required' },
  { value: 'full', label: 'Full: every loop, segment and element' },
  { value: 'varied', label: 'Varied: anything that is allowed' },
] as const;
/** The kind of this value; the first one if there is none. */
function kindOf(value: string) {
  return (KINDS.find((each) => each.value === value) ?? KINDS[0]).value;
}

const MAX_NUMBER = 999_999_999;

/** "Make a sample": a document of any set of the dictionary, valid or with a fault. */
export function MakeSample({ onDocument }: Props) {
  const [opened, setOpened] = useState(false);
  const sets = useQuery({ ...setsQuery, enabled: opened });
  return (
    <>
      <Button
        variant="default"
        onClick={() => setOpened(true)}
        leftSection={<Icon name="spark" size={16} />}
      >
        Make a sample
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="Make a sample">
        <QueryState query={sets} what="The transaction sets could not be loaded.">
          {(found) => (
            <SampleForm
              sets={found}
              onDocument={(text, name) => {
                setOpened(false);
                onDocument(text, name);
              }}
            />
          )}
        </QueryState>
      </Modal>
    </>
  );
}

function SampleForm({ sets, onDocument }: Props & { sets: Sets }) {
  const faults = useQuery(sampleFaultsQuery);
  const [set, setSet] = useState('850');
  const [definition, setDefinition] = useState('');
  const [kind, setKind] = useState(kindOf(''));
  const [fault, setFault] = useState('');
  const [number, setNumber] = useState<string | number>(0);
  const { busy, refusal, left, run } = useSubmission();
  const make = () =>
    run(async () => {
      const of = { ...definitionParameters(definition), ...(fault !== '' && { fault }) };
      const sample = await madeSample(set, { ...of, kind, seed: String(Number(number)) });
      onDocument(sample.document, sampleName(sample));
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          The document is made from the dictionary; companies, people and numbers in it are
          invented.
        </Text>
        <Select
          label="Transaction set"
          data={setChoices(sets)}
          value={set}
          searchable
          allowDeselect={false}
          onChange={(value) => {
            setSet(value ?? set);
            setDefinition('');
          }}
          comboboxProps={{ withinPortal: true }}
          data-autofocus
        />
        <NativeSelect
          label="Release or guide"
          data={definitionChoices(sets, set)}
          value={definition}
          onChange={(event) => setDefinition(event.currentTarget.value)}
        />
        <NativeSelect
          label="Contents"
          data={KINDS}
          value={kind}
          onChange={(event) => setKind(kindOf(event.currentTarget.value))}
        />
        <NativeSelect
          label="Fault"
          data={faultChoices(faults.data ?? [])}
          value={fault}
          onChange={(event) => setFault(event.currentTarget.value)}
        />
        <NumberInput
          label="Number"
          description="Another number makes another document, the same number the same one."
          value={number}
          onChange={setNumber}
          min={0}
          max={MAX_NUMBER}
          allowDecimal={false}
          allowNegative={false}
        />
        {refusal !== null && <ErrorState error={refusal} what="The sample could not be made." />}
        <div>
          <Button type="submit" loading={busy} disabled={left > 0}>
            Make and inspect
          </Button>
        </div>
      </Stack>
    </form>
  );
}
