import { Button, Switch } from '@mantine/core';
import { useMemo, useState } from 'react';
import { outputSpans } from '../core/outputText';
import { CopyButton } from '../ui/CopyButton';
import { EmptyState, ErrorState } from '../ui/States';
import { formatted } from './formatted';
import { OutputText, type Range } from './OutputText';
import classes from './Preview.module.css';
import { SampleBar } from './SampleBar';
import type { Bench } from './useBench';
import type { Hover } from './useHover';
import type { Page } from './usePage';
import { shownOutput } from './useView';

interface Props {
  bench: Bench;
  page: Page;
  hover: Hover;
}

/** What the rules make of the document, by the engine of convert. */
export function PreviewPanel({ bench, page, hover }: Props) {
  const { preview, documents, editor, faults } = bench;
  const [isFormatted, setFormatted] = useState(true);
  const output = preview.answer?.output ?? '';
  const format = preview.answer?.format ?? editor.state.target_fmt;
  const text = useMemo(
    () => (isFormatted ? formatted(output, format) : output),
    [isFormatted, output, format],
  );
  const places = usePlaces(bench, text, format);
  return (
    <>
      <div className={classes.bar}>
        <SampleBar
          state={editor.state}
          choices={documents.choices}
          shown={documents.shown}
          readOnly={editor.readOnly}
          onChoose={documents.choose}
          onShow={documents.show}
          onAdd={() => page.setSheet('add-document')}
        />
        <Switch
          size="xs"
          label="Lines"
          checked={isFormatted}
          onChange={(event) => setFormatted(event.currentTarget.checked)}
        />
        <CopyButton text={output} what="output" />
      </div>
      <Faults bench={bench} />
      {preview.answer?.warnings.map(({ code, message }) => (
        <p key={`${code} ${message}`} className={classes.warning}>
          {message}
        </p>
      ))}
      {documents.shown === null ? (
        <EmptyState
          action={
            <Button
              variant="default"
              size="compact-md"
              onClick={() => page.setSheet('add-document')}
            >
              Add a document
            </Button>
          }
        >
          The output is shown for a document, and this map has none yet.
        </EmptyState>
      ) : preview.answer === null && preview.error !== null && faults.general.length === 0 ? (
        <ErrorState error={preview.error} what="There is no output." />
      ) : (
        <OutputText
          text={text}
          marked={places.marked}
          hovered={places.spanOf(hover.target)}
          stale={preview.stale}
          onPlace={(offset) => {
            const found = offset === null ? null : places.at(offset);
            hover.onOutput(found?.target ?? null, found?.sources ?? []);
          }}
          onPress={(offset) => {
            const found = places.at(offset);
            if (found !== null) bench.targetSide.tree.reveal(found.target);
          }}
        />
      )}
    </>
  );
}

function Faults({ bench }: { bench: Bench }) {
  const { faults, editor } = bench;
  const list = [
    ...faults.general,
    ...[...faults.byRule].flatMap(([index, messages]) =>
      messages.map((message) => `${editor.state.field_map[index]?.tgt ?? index}: ${message}`),
    ),
  ];
  if (list.length === 0) return null;
  return (
    <div role="alert" className={classes.fault}>
      <ul>
        {list.slice(0, 5).map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      {list.length > 5 && <p>And {list.length - 5} more, under Issues.</p>}
    </div>
  );
}

/** Rows and places of the output, both ways. */
function usePlaces(bench: Bench, text: string, format: Parameters<typeof outputSpans>[0]) {
  const { lineage, links, trees, instances, editor } = bench;
  const { active } = bench.targetSide.tree;
  const spans = useMemo(() => outputSpans(format, text), [format, text]);
  return useMemo(() => {
    const spanOf = (target: string | null): Range | null => {
      if (target === null) return null;
      for (const index of links.byTarget.get(target) ?? []) {
        const rule = editor.state.field_map[index];
        if (rule === undefined) continue;
        const written = shownOutput(rule, index, links, trees, lineage, instances);
        const span = written === null ? null : spans.spanOf(written.tgt);
        if (span !== null) return { start: span[0], end: span[1] };
      }
      return null;
    };
    const at = (offset: number) => {
      const path = spans.pathAt(offset);
      const node = path === null ? null : lineage.finder.find(path);
      if (node === null) return null;
      const keys = lineage.outputs
        .filter(({ tgt }) => tgt === path)
        .flatMap(({ sources }) => sources.map(({ src }) => src));
      const sources = keys.flatMap((key) => lineage.sourceOfKey.get(key)?.id ?? []);
      return { target: node.id, sources };
    };
    return { spanOf, at, marked: spanOf(active) };
  }, [spans, lineage, links, trees, instances, editor.state.field_map, active]);
}
