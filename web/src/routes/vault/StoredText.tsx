import { useMemo } from 'react';
import { separatorsOf } from '../../core/segments';
import { visibleText } from '../../core/visible';
import { CopyButton } from '../../ui/CopyButton';
import { DocumentText } from '../../ui/DocumentText';
import { Panel } from '../../ui/Panel';
import type { StoredDetail } from './queries';

interface Props {
  title: string;
  stored: StoredDetail;
}

/** The content of a stored document as it is. */
export function StoredText({ title, stored: { content, fmt } }: Props) {
  const separators = useMemo(() => (fmt === 'x12' ? separatorsOf(content) : null), [content, fmt]);
  const shown = visibleText(title);
  return (
    <Panel title={shown} flush actions={<CopyButton text={content} />}>
      <DocumentText label={`${shown}, text`} text={content} separators={separators} />
    </Panel>
  );
}
