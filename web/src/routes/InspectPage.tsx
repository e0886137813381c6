import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../ui/Icon';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, ErrorState, Loading } from '../ui/States';
import { DocumentEntry } from './inspect/DocumentEntry';
import { InspectOptions } from './inspect/InspectOptions';
import { InspectRefusal } from './inspect/InspectRefusal';
import { InspectResult } from './inspect/InspectResult';
import { InspectSummary } from './inspect/InspectSummary';
import { MakeSample } from './inspect/MakeSample';
import { closeDocument, openDocument, openedDocument } from './inspect/opened';
import { inspectQuery, type InspectOptions as Options } from './inspect/queries';
import { SampleMenu } from './inspect/SampleMenu';
import { type Source, useSource } from './inspect/useSource';

const route = getRouteApi('/app/inspect');

/** Look into a document: what it is, what is in it, what is wrong with it. */
export function InspectPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState(openedDocument);
  const state = useSource(search, opened);
  const open = (text: string, name: string) => {
    setOpened(openDocument(text, name));
    void navigate({ search: {} });
  };
  const another = () => {
    closeDocument();
    setOpened(null);
    void navigate({ search: {} });
  };
  const actions = state.kind !== 'none' && (
    <>
      <SampleMenu />
      <MakeSample onDocument={open} />
      <Button variant="default" onClick={another} leftSection={<Icon name="plus" size={16} />}>
        Another document
      </Button>
    </>
  );
  return (
    <Page
      title="Inspect"
      intro="See the structure, the contents and the errors of a document. Nothing is stored."
      actions={actions}
    >
      {state.kind === 'none' && (
        <Panel>
          <DocumentEntry onDocument={open}>
            <SampleMenu />
            <MakeSample onDocument={open} />
          </DocumentEntry>
        </Panel>
      )}
      {state.kind === 'loading' && <Loading label="Loading the document" />}
      {state.kind === 'failed' && (
        <ErrorState {...state} what="The document could not be loaded." />
      )}
      {state.kind === 'unknown' && (
        <Panel>
          <EmptyState action={<SampleMenu />}>There is no sample with this name.</EmptyState>
        </Panel>
      )}
      {state.kind === 'ready' && (
        <Inspected key={state.source.id} source={state.source} onDocument={open} />
      )}
    </Page>
  );
}

interface InspectedProps {
  source: Source;
  onDocument: (text: string, name: string) => void;
}

function Inspected({ source, onDocument }: InspectedProps) {
  const { format, guide, release, codes } = route.useSearch();
  const navigate = route.useNavigate();
  const options = { format, guide, release, codes };
  const inspection = useQuery(inspectQuery(source, options));
  const change = (changed: Options) =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace: true });
  const result = inspection.data;
  return (
    <>
      {result !== undefined && <InspectSummary source={source} result={result} />}
      {inspection.isPending && <Loading label="Inspecting the document" />}
      {inspection.isError && (
        <InspectRefusal
          error={inspection.error}
          retry={() => void inspection.refetch()}
          source={source}
          onDocument={onDocument}
        />
      )}
      <Panel>
        <InspectOptions options={options} result={result} onChange={change} />
      </Panel>
      {result !== undefined && <InspectResult key={inspection.dataUpdatedAt} result={result} />}
    </>
  );
}
