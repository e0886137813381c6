import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, data } from '../api/client';
import { ErrorState } from '../ui/States';
import { StatusBadge } from '../ui/StatusBadge';
import { ConversionWarnings } from './ConversionWarnings';
import overlay from './Overlay.module.css';
import classes from './Preview.module.css';
import { previewed, type TestItem } from './server';
import type { MapperState } from './useMapper';
import { candidateOf } from './usePreview';

/** Documents with the output they must have. */
export function TestsPanel({ mapper }: { mapper: MapperState }) {
  const { editor, preview } = mapper;
  const { state, base, readOnly } = editor;
  const [results, setResults] = useState<{ of: typeof state; items: TestItem[] } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [name, setName] = useState('');
  const canAdd =
    !readOnly && preview.document !== null && preview.answer !== null && !preview.stale;

  const add = () => {
    if (preview.document === null || preview.answer === null) return;
    const test = {
      name: name.trim() === '' ? `Test ${state.tests.length + 1}` : name.trim(),
      document: preview.document,
      expected: preview.answer.output,
    };
    editor.edit({ ...state, tests: [...state.tests, test] }, `Added the test ${test.name}`);
    setName('');
  };
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      setResults({ of: state, items: await ran(state, base?.id ?? null) });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const accept = async (index: number) => {
    const test = state.tests[index];
    if (test === undefined) return;
    setBusy(true);
    setError(null);
    try {
      const { output } = await previewed(candidateOf(state), test.document);
      const tests = state.tests.map((each, at) =>
        at === index ? { ...each, expected: output } : each,
      );
      editor.edit({ ...state, tests }, `Accepted the output as expected in ${test.name}`);
      setResults(null);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const passed = results?.items.filter((each) => each.passed).length ?? 0;
  return (
    <div className={classes.scroll}>
      <Group gap={8} align="flex-end" pb={8}>
        <TextInput
          size="xs"
          label="Add the shown document and its output as a test"
          placeholder={`Test ${state.tests.length + 1}`}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          style={{ flex: '1 1 160px' }}
        />
        <Button size="compact-md" variant="default" disabled={!canAdd} onClick={add}>
          Add test
        </Button>
        <Button
          size="compact-md"
          loading={busy}
          disabled={state.tests.length === 0}
          onClick={() => void run()}
        >
          Run all
        </Button>
      </Group>
      {error !== null && <ErrorState error={error} what="The tests could not be run." />}
      {results !== null && (
        <Text size="sm" role="status" pb={6}>
          {passed} of {results.items.length} pass
          {results.of === state ? '.' : '. The map has changed since then.'}
          {base !== null && base.state.tests !== state.tests
            ? ' New and changed tests run once they are saved.'
            : ''}
        </Text>
      )}
      {state.tests.length === 0 && (
        <Text size="sm" c="dimmed">
          There are no tests. Saving the map runs its tests and reports failures.
        </Text>
      )}
      <ul className={overlay.list} aria-label="Tests">
        {state.tests.map((test, index) => (
          <OneTest
            // biome-ignore lint/suspicious/noArrayIndexKey: names of tests may be alike
            key={index}
            name={test.name}
            result={results?.items.find((each) => each.name === test.name) ?? null}
            readOnly={readOnly}
            onShow={() => mapper.documents.choose(`test-${index}`)}
            onAccept={() => void accept(index)}
            onRemove={() => {
              const tests = state.tests.filter((_, at) => at !== index);
              editor.edit({ ...state, tests }, `Removed the test ${test.name}`);
              setResults(null);
            }}
          />
        ))}
      </ul>
    </div>
  );
}

type State = MapperState['editor']['state'];

/** The tests over the rules as they stand. A map that is not saved has no place on the server yet. */
async function ran(state: State, mapId: number | null): Promise<TestItem[]> {
  if (mapId === null) throw new Error('Save the map first; then its tests can run.');
  const params = { path: { map_id: String(mapId) } };
  const body = { field_map: state.field_map, lookups: state.lookups, version: null };
  const answer = await data(api.POST('/api/maps/{map_id}/tests/run', { params, body }));
  return answer.results;
}

interface OneTestProps {
  name: string;
  result: TestItem | null;
  readOnly: boolean;
  onShow: () => void;
  onAccept: () => void;
  onRemove: () => void;
}

function OneTest({ name, result, readOnly, onShow, onAccept, onRemove }: OneTestProps) {
  return (
    <li className={overlay.item}>
      <Group gap={8} justify="space-between">
        <Group gap={8}>
          <strong>{name}</strong>
          {result !== null && (
            <StatusBadge tone={result.passed ? 'ok' : 'err'}>
              {result.passed ? 'passes' : 'fails'}
            </StatusBadge>
          )}
        </Group>
        <Group gap={4}>
          <Button size="compact-sm" variant="default" onClick={onShow}>
            Show
          </Button>
          {result?.passed === false && !readOnly && (
            <Button size="compact-sm" variant="default" onClick={onAccept}>
              Accept as new expected
            </Button>
          )}
          {!readOnly && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={onRemove}
              aria-label={`Remove ${name}`}
            >
              Remove
            </Button>
          )}
        </Group>
      </Group>
      {result?.error !== undefined && <Text c="var(--ls-err)">{result.error}</Text>}
      <ConversionWarnings warnings={result?.warnings} />
      {result !== null && result.diff.length > 0 && (
        <pre className={overlay.diff}>
          {result.diff.map(({ path, expected, actual }) => (
            <div key={path}>
              {path}
              {'\n'}
              <span className={overlay.minus}>- {valueText(expected)}</span>
              {'\n'}
              <span className={overlay.plus}>+ {valueText(actual)}</span>
            </div>
          ))}
        </pre>
      )}
    </li>
  );
}

/** A value of a difference; absent ones by a word. */
export function valueText(value: unknown): string {
  return value === undefined
    ? 'nothing'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}
