import { Button, Tabs } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { visibleText } from '../core/visible';
import { Icon } from '../ui/Icon';
import { notifyFailed } from '../ui/notify';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { isMissing, RecordState } from '../ui/RecordState';
import { TabList } from '../ui/TabList';
import { LinkButton, TextLink } from '../ui/TextLink';
import { downloadStored } from './vault/download';
import { type StoredDetail, storedQuery } from './vault/queries';
import { StoredFacts } from './vault/StoredFacts';
import { StoredSource } from './vault/StoredSource';
import { StoredText } from './vault/StoredText';
import { StoredTree } from './vault/StoredTree';

const route = getRouteApi('/app/vault/$docId');

/** One stored document: as it is, as a tree, and next to its source. */
export function VaultDocumentPage() {
  const { docId } = route.useParams();
  const stored = useQuery(storedQuery(docId));
  const found = stored.data;
  return (
    <Page
      title={found === undefined ? 'Stored document' : visibleText(found.filename)}
      intro={<TextLink to="/app/vault">All stored documents</TextLink>}
      {...(found !== undefined &&
        !isMissing(stored.error) && { actions: <Actions stored={found} /> })}
    >
      <RecordState query={stored} kind="stored document">
        {(document) => (
          <>
            <Panel>
              <StoredFacts stored={document} />
            </Panel>
            <Views stored={document} />
          </>
        )}
      </RecordState>
    </Page>
  );
}

function Views({ stored }: { stored: StoredDetail }) {
  const { tab = 'raw' } = route.useSearch();
  const navigate = route.useNavigate();
  const sourceId = stored.source_doc_id;
  const shown = tab === 'source' && sourceId === null ? 'raw' : tab;
  const choose = (chosen: string | null) => {
    const next = chosen === 'tree' || chosen === 'source' ? chosen : undefined;
    void navigate({ search: { tab: next }, replace: true });
  };
  return (
    <Tabs value={shown} onChange={choose} keepMounted={false}>
      <TabList>
        <Tabs.Tab value="raw">Raw</Tabs.Tab>
        <Tabs.Tab value="tree">Tree</Tabs.Tab>
        {sourceId !== null && <Tabs.Tab value="source">Compare with source</Tabs.Tab>}
      </TabList>
      <Tabs.Panel value="raw" pt="md">
        <StoredText title="Content" stored={stored} />
      </Tabs.Panel>
      <Tabs.Panel value="tree" pt="md">
        <StoredTree stored={stored} />
      </Tabs.Panel>
      {sourceId !== null && (
        <Tabs.Panel value="source" pt="md">
          <StoredSource stored={stored} sourceId={sourceId} />
        </Tabs.Panel>
      )}
    </Tabs>
  );
}

function Actions({ stored: { id, filename, fmt } }: { stored: StoredDetail }) {
  return (
    <>
      <LinkButton
        to="/app/inspect"
        search={{ doc: id }}
        variant="default"
        leftSection={<Icon name="search" size={16} />}
      >
        Inspect
      </LinkButton>
      <Download id={id} filename={filename} raw={false} words="Download" />
      {fmt === 'csv' && <Download id={id} filename={filename} raw words="Download original" />}
    </>
  );
}

interface DownloadProps {
  id: number;
  filename: string;
  raw: boolean;
  words: string;
}

// A CSV file is made safe for spreadsheet programs unless its very bytes are asked for.
function Download({ id, filename, raw, words }: DownloadProps) {
  const save = useMutation({
    mutationFn: () => downloadStored(id, filename, raw),
    onError: (error) => notifyFailed('The document could not be downloaded.', error),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {words}
    </Button>
  );
}
