import { Button, Switch } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Format } from '../core/model';
import { outputSpans } from '../core/outputText';
import { shapeWords } from '../core/shape';
import { counted } from '../core/treeWords';
import { visibleText } from '../core/visible';
import { CopyButton } from '../ui/CopyButton';
import { EmptyState, ErrorState, Loading } from '../ui/States';
import { formatted, withNames } from './formatted';
import { OutputText, type Range } from './OutputText';
import classes from './Preview.module.css';
import { SampleBar } from './SampleBar';
import { type Hover, useHoveredTarget } from './useHover';
import { shownOutput } from './useLineage';
import type { MapperState } from './useMapper';
import type { Page } from './usePage';
import { warningText } from './warnings';

interface Props {
  mapper: MapperState;
  page: Page;
  hover: Hover;
}

/** What the rules make of the document, by the engine of convert. */
export function PreviewPanel({ mapper, page, hover }: Props) {
  const { preview, documents, editor } = mapper;
  const [isFormatted, setFormatted] = useState(true);
  const output = preview.answer?.output ?? '';
  const format = preview.answer?.format ?? editor.state.target_fmt;
  const text = useMemo(
    () => withNames(isFormatted ? formatted(output, format) : output),
    [isFormatted, output, format],
  );
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
      {editor.state.field_map.length > 0 && <Coverage tried={mapper.tried} />}
      <Faults mapper={mapper} onAll={() => page.setPanel('issues')} />
      {preview.answer?.warnings.map((warning) => (
        <p key={`${warning.code} ${warning.param} ${warning.message}`} className={classes.warning}>
          {visibleText(warningText(warning))}
        </p>
      ))}
      {preview.answer !== null && preview.answer.explain === undefined && (
        <p className={classes.warning}>
          The document is too large to show where each value comes from; the output is complete.
        </p>
      )}
      <Output mapper={mapper} page={page} hover={hover} text={text} format={format} />
    </>
  );
}

/** Says, of a document that is tried by its beginning, what the output is of. */
function Coverage({ tried }: { tried: MapperState['tried'] }) {
  const { cut, isWhole, setWhole } = tried;
  if (cut === null) return null;
  return (
    <p className={classes.coverage} role="status">
      <span>
        {isWhole
          ? `Output of the whole document, ${counted(cut.of, 'segment')}.`
          : `Output of ${shapeWords(cut)}.`}
      </span>
      <Button variant="subtle" size="compact-xs" onClick={() => setWhole(!isWhole)}>
        {isWhole ? `Only ${shapeWords(cut)}` : 'Convert the whole document'}
      </Button>
    </p>
  );
}

interface OutputProps extends Props {
  text: string;
  format: Format;
}

function Output({ mapper, page, hover, text, format }: OutputProps) {
  const { preview, documents, faults, editor } = mapper;
  const places = usePlaces(mapper, text, format);
  const hovered = useHoveredTarget();
  if (documents.shown === null) {
    return (
      <EmptyState
        action={
          <Button variant="default" size="compact-md" onClick={() => page.setSheet('add-document')}>
            Add a document
          </Button>
        }
      >
        The output needs a sample document, and this map has none yet.
      </EmptyState>
    );
  }
  if (editor.state.field_map.length === 0) {
    return <EmptyState>The output is shown once the map has a rule.</EmptyState>;
  }
  const hasFaults = faults.general.length > 0 || faults.byRule.size > 0;
  const failed = (
    <ErrorState error={preview.error} what="There is no output." retry={preview.again} />
  );
  if (preview.answer === null) {
    if (preview.error === null) return <Loading label="Converting" />;
    return hasFaults ? null : failed;
  }
  return (
    <>
      {preview.error !== null && !hasFaults && failed}
      <OutputText
        text={text}
        marked={places.marked}
        hovered={places.spanOf(hovered)}
        stale={preview.stale}
        onPlace={(offset) => {
          const found = offset === null ? null : places.at(offset);
          hover.onOutput(found?.target ?? null, found?.sources ?? []);
        }}
        onPress={(offset) => {
          const found = places.at(offset);
          if (found !== null) mapper.targetSide.tree.reveal(found.target);
        }}
      />
    </>
  );
}

function Faults({ mapper, onAll }: { mapper: MapperState; onAll: () => void }) {
  const { faults, editor } = mapper;
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
          <li key={fault}>{visibleText(fault)}</li>
        ))}
      </ul>
      {list.length > 5 && (
        <Button variant="subtle" size="compact-xs" onClick={onAll}>
          Show {list.length - 5} more under Issues
        </Button>
      )}
    </div>
  );
}

/** Rows and places of the output, both ways. */
function usePlaces(mapper: MapperState, text: string, format: Format) {
  const { lineage, links, trees, instances, editor } = mapper;
  const { active } = mapper.targetSide.tree;
  const spans = useMemo(() => outputSpans(format, text), [format, text]);
  return useMemo(() => {
    const written = (index: number) => {
      const rule = editor.state.field_map[index];
      const output =
        rule === undefined ? null : shownOutput(rule, index, links, trees, lineage, instances);
      return output === null ? null : spans.spanOf(output.tgt);
    };
    const spanOf = (target: string | null): Range | null => {
      const indexes = target === null ? [] : (links.byTarget.get(target) ?? []);
      const span = indexes.map(written).find((each) => each !== null) ?? null;
      return span === null ? null : { start: span[0], end: span[1] };
    };
    const at = (offset: number) => {
      const path = spans.pathAt(offset);
      const node = path === null ? null : lineage.finder.find(path);
      return node === null || path === null
        ? null
        : { target: node.id, sources: sourcesAt(lineage, path) };
    };
    return { spanOf, at, marked: spanOf(active) };
  }, [spans, lineage, links, trees, instances, editor.state.field_map, active]);
}

/** The rows that a written place was read from. */
function sourcesAt(lineage: MapperState['lineage'], path: string): string[] {
  return lineage.outputs
    .filter(({ tgt }) => tgt === path)
    .flatMap(({ sources }) => sources.map(({ src }) => src))
    .flatMap((key) => lineage.sourceOfKey.get(key)?.id ?? []);
}
