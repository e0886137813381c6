import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Acknowledgement } from './Acknowledgement';
import { FindingsList } from './FindingsList';
import type { Inspection } from './queries';
import { TreeAndRow } from './TreeAndRow';

const route = getRouteApi('/app/inspect');

/** The tree of a document next to its chosen row, its findings and its acknowledgement. */
export function InspectResult({ result }: { result: Inspection }) {
  const { at, tab = 'row' } = route.useSearch();
  const navigate = route.useNavigate();
  const chooseTab = (chosen: string | null) => {
    const next = chosen === 'findings' || chosen === 'ack' ? chosen : undefined;
    void navigate({ search: (now) => ({ ...now, tab: next }), replace: true });
  };
  const writeRow = (path: string) =>
    void navigate({ search: (now) => ({ ...now, at: path }), replace: true });
  // What is chosen in the tree is to be seen, whatever was shown next to it.
  const showRow = () => {
    if (tab !== 'row') chooseTab('row');
  };
  return (
    <TreeAndRow result={result} at={at} onAt={writeRow} onChoose={showRow}>
      {(row) => (
        <Tabs value={tab} onChange={chooseTab} keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="row">Chosen row</Tabs.Tab>
            {result.format === 'x12' && (
              <Tabs.Tab value="findings">
                Findings {result.finding_count ?? result.findings.length}
              </Tabs.Tab>
            )}
            {result.ack && <Tabs.Tab value="ack">Acknowledgement</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="row" pt="md">
            {row}
          </Tabs.Panel>
          <Tabs.Panel value="findings">
            <FindingsList result={result} />
          </Tabs.Panel>
          <Tabs.Panel value="ack" pt="md">
            <Acknowledgement type={result.ack_type ?? ''} text={result.ack ?? ''} />
          </Tabs.Panel>
        </Tabs>
      )}
    </TreeAndRow>
  );
}
