import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '../../api/session';
import { OUTCOME_WORDS } from '../../core/checked';
import { curlCommand } from '../../core/curl';
import { inspectedWords } from '../../core/inspection';
import { counted } from '../../core/treeWords';
import { handOver } from '../../mapper/handover';
import { CopyButton } from '../../ui/CopyButton';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { StatusBadge } from '../../ui/StatusBadge';
import { VisibleText } from '../../ui/VisibleText';
import classes from './Inspect.module.css';
import type { Inspection } from './queries';
import type { Source } from './useSource';
import { WhatWasChecked } from './WhatWasChecked';

interface Props {
  source: Source;
  result: Inspection;
}

/** What the document is, whether it is sound, and what can be done with it. */
export function InspectSummary({ source, result }: Props) {
  return (
    <Panel>
      <div className={classes.summary}>
        <div className={classes.what}>
          <ValidityBadge result={result} />
          <ul className={classes.parts} aria-label="About the document">
            {inspectedWords(result).map((words) => (
              <li key={words}>{words}</li>
            ))}
            {source.name !== '' && (
              <li>
                <VisibleText text={source.name} />
              </li>
            )}
          </ul>
        </div>
        <Actions source={source} result={result} />
      </div>
      <WhatWasChecked result={result} />
    </Panel>
  );
}

function ValidityBadge({ result }: { result: Inspection }) {
  if (result.format !== 'x12') return <StatusBadge tone="ok">Readable</StatusBadge>;
  if (result.outcome === 'valid' || result.outcome === 'not_checked') {
    const { tone, word } = OUTCOME_WORDS[result.outcome];
    return <StatusBadge tone={tone}>{word}</StatusBadge>;
  }
  const errors = result.findings.filter(({ severity }) => severity === 'error').length;
  const more = result.truncated ? 'At least ' : '';
  return <StatusBadge tone="err">{`${more}${counted(errors, 'error')}`}</StatusBadge>;
}

function Actions({ source, result }: Props) {
  const navigate = useNavigate();
  const { user } = useSession();
  const command = useMemo(() => publicCommand(source.text, result.format), [source, result]);
  const map = () => {
    handOver(source.text, result.format);
    void navigate({ to: '/app/maps/$mapId', params: { mapId: 'new' } });
  };
  return (
    <Group gap="sm">
      {user.role !== 'viewer' && (
        <Button onClick={map} leftSection={<Icon name="map" size={16} />}>
          Map it
        </Button>
      )}
      <CopyButton text={command} what="as curl" />
    </Group>
  );
}

// The public API validates X12 and parses the rest.
function publicCommand(document: string, format: Inspection['format']): string {
  const isX12 = format === 'x12';
  const url = `${window.location.origin}/api/v1/${isX12 ? 'validate' : 'parse'}`;
  return curlCommand(url, isX12 ? { document } : { document, format });
}
