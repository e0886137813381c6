import { Button, Radio, Select, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../api/client';
import type { Format, MapState } from '../core/model';
import { sourceTree } from '../core/source';
import { Panel } from '../ui/Panel';
import { ErrorState, Loading } from '../ui/States';
import type { Handover } from './handover';
import type { Beginning } from './NewMap';
import { oneKeyPerField } from './oneKey';
import { type inspected, setsQuery, startersQuery } from './server';
import { standardFor } from './starters';

type Inspection = Awaited<ReturnType<typeof inspected>>;
type Kind = 'standard' | 'sample' | 'x12' | 'fields';

interface Props {
  source: Handover;
  inspection: Inspection;
  onBegin: (beginning: Beginning) => void;
}

function blank(source: Handover, inspection: Inspection): MapState {
  return {
    name: '',
    source_fmt: source.format,
    target_fmt: 'json',
    tx_set: inspection.tx_set,
    direction: 'inbound',
    description: '',
    field_map: [],
    lookups: [],
    sample: source,
    target_sample: '',
    tests: [],
    rejected: [],
  };
}

const named = (source: string, target: string) => `${source} to ${target}`;

/** The format of a text by its first character. */
function formatOf(text: string): Format {
  const first = text.trimStart()[0] ?? '';
  if (first === '{' || first === '[') return 'json';
  return first === '<' ? 'xml' : 'csv';
}

/** What the document shall become: standard output, an example, X12, or one key per field. */
export function TargetChoice(props: Props) {
  const { source, inspection } = props;
  const starters = useQuery(startersQuery);
  // What is preselected must not change under the hand of somebody who has begun to choose.
  if (starters.isPending) return <Loading label="Loading the choices" />;
  const starter = starters.data?.find(
    ({ source_fmt, tx_set }) =>
      source_fmt === 'x12' && source.format === 'x12' && tx_set === inspection.tx_set,
  );
  return <Choice {...props} starter={starter} />;
}

type Starter = Schemas['StarterItem'];

function Choice({
  source,
  inspection,
  onBegin,
  starter,
}: Props & { starter: Starter | undefined }) {
  const [chosen, setChosen] = useState<Kind | null>(null);
  const kind = chosen ?? (starter === undefined ? 'sample' : 'standard');
  const [example, setExample] = useState('');
  const [set, setSet] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const plain = blank(source, inspection);
  const from = inspection.tx_set === '' ? source.format.toUpperCase() : inspection.tx_set;

  const beginnings: Record<Kind, () => Promise<Beginning>> = {
    standard: async () => {
      if (starter === undefined) throw new Error('There is no standard output for this document.');
      const { targetSample, suggestions, rules } = await standardFor(starter, source);
      const state = { ...plain, name: starter.name, target_fmt: starter.target_fmt };
      return {
        state: { ...state, field_map: rules, target_sample: targetSample },
        suggestions,
      };
    },
    sample: async () => {
      const format = formatOf(example);
      if (format === 'json') JSON.parse(example);
      const name = named(from, format.toUpperCase());
      return {
        state: { ...plain, name, target_fmt: format, target_sample: example },
        suggestions: null,
      };
    },
    x12: async () => ({
      state: {
        ...plain,
        name: named(from, set ?? ''),
        target_fmt: 'x12',
        tx_set: set ?? '',
        direction: 'outbound',
      },
      suggestions: null,
    }),
    fields: async () => {
      const field_map = oneKeyPerField(sourceTree(inspection, null));
      return {
        state: { ...plain, name: named(from, 'one key per field'), field_map },
        suggestions: null,
      };
    },
  };
  const begin = async () => {
    setBusy(true);
    setError(null);
    try {
      onBegin(await beginnings[kind]());
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const ready = (kind !== 'sample' || example.trim() !== '') && (kind !== 'x12' || set !== null);
  return (
    <Panel title="What it should become">
      <Stack gap="md" align="stretch">
        {error !== null && <ErrorState error={error} what="The map could not be started." />}
        <Radio.Group
          aria-label="Target"
          value={kind}
          onChange={(value) => setChosen(kindOf(value))}
        >
          <Stack gap="md">
            {starter !== undefined && (
              <Radio
                value="standard"
                label={`Standard output: ${starter.name}`}
                description="A complete set of names, offered as suggestions for the fields of this document."
              />
            )}
            <Radio value="sample" label="My own example: JSON, XML or a CSV header" />
            {kind === 'sample' && <Example text={example} onText={setExample} />}
            <Radio value="x12" label="X12" description="Another transaction set." />
            {kind === 'x12' && <SetChoice set={set} onSet={setSet} />}
            <Radio
              value="fields"
              label="One key per field"
              description="Flat JSON with the fields of this document, already linked."
            />
          </Stack>
        </Radio.Group>
        <Button
          style={{ alignSelf: 'flex-start' }}
          loading={busy}
          disabled={!ready}
          onClick={() => void begin()}
        >
          Begin
        </Button>
      </Stack>
    </Panel>
  );
}

const KINDS = ['standard', 'sample', 'x12', 'fields'] as const;

function kindOf(value: string): Kind {
  return KINDS.find((kind) => kind === value) ?? 'sample';
}

function Example({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <Textarea
      label="The output you want"
      description="One example document. Its values help to find suggestions and need not be real."
      placeholder='{"orderNumber": "4711", "items": [{"sku": "A-1", "quantity": 2}]}'
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      autosize
      minRows={5}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}

function SetChoice({ set, onSet }: { set: string | null; onSet: (set: string | null) => void }) {
  const sets = useQuery(setsQuery);
  const names = new Map(sets.data?.map(({ tx_set, name }) => [tx_set, `${tx_set} ${name}`]));
  if (sets.isError) return <Text role="alert">The sets could not be loaded.</Text>;
  return (
    <Select
      label="Transaction set"
      searchable
      maw={360}
      data={[...names].map(([value, label]) => ({ value, label }))}
      value={set}
      onChange={onSet}
    />
  );
}
