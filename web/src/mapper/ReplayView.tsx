import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, data, type Schemas } from '../api/client';
import { ErrorState } from '../ui/States';
import { StatusBadge, type Tone } from '../ui/StatusBadge';
import { TextLink } from '../ui/TextLink';
import { ConversionWarnings } from './ConversionWarnings';
import overlay from './Overlay.module.css';
import type { Base } from './server';
import { valueText } from './TestsPanel';
import type { Editor } from './useEditor';

const TONES: Record<Schemas['ReplayItem']['outcome'], Tone> = {
  identical: 'ok',
  changed: 'warn',
  failed: 'err',
};

/** The edited rules over earlier documents, compared with the saved version. */
export function ReplayView({ editor, base }: { editor: Editor; base: Base }) {
  const [last, setLast] = useState<number | string>(20);
  const [answer, setAnswer] = useState<Schemas['ReplayAnswer'] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const params = { path: { map_id: String(base.id) } };
      const { field_map, lookups } = editor.state;
      const body = { field_map, lookups, version: null, last: Number(last) || null };
      setAnswer(await data(api.POST('/api/maps/{map_id}/replay', { params, body })));
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      <Text size="sm">
        Runs these rules and the saved version {base.version} on the newest stored documents of this
        map and shows where the outputs differ. Nothing is stored or sent.
      </Text>
      <Group gap="sm" align="flex-end">
        <NumberInput label="Documents" min={1} max={100} value={last} onChange={setLast} w={120} />
        <Button loading={busy} onClick={() => void run()}>
          Replay
        </Button>
      </Group>
      {error !== null && <ErrorState error={error} what="The replay could not be run." />}
      {answer !== null && (
        <>
          <Text role="status">
            {answer.compared} compared: {answer.identical} identical, {answer.changed} changed,{' '}
            {answer.failed} failed.
          </Text>
          <ul className={overlay.list} aria-label="Replayed documents">
            {answer.results.map((item) => (
              <li key={item.source_doc_id} className={overlay.item}>
                <Group gap="sm">
                  <TextLink to="/app/vault/$docId" params={{ docId: String(item.source_doc_id) }}>
                    Document {item.source_doc_id}
                  </TextLink>
                  <StatusBadge tone={TONES[item.outcome]}>{item.outcome}</StatusBadge>
                </Group>
                {item.error !== null && <Text c="var(--ls-err)">{item.error}</Text>}
                <ConversionWarnings warnings={item.warnings} />
                {item.diff.length > 0 && (
                  <pre className={overlay.diff}>
                    {item.diff.map(({ path, before, after }) => (
                      <div key={path}>
                        {path}
                        <div className={overlay.minus}>- {valueText(before)}</div>
                        <div className={overlay.plus}>+ {valueText(after)}</div>
                      </div>
                    ))}
                  </pre>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  );
}
