import { useMemo } from 'react';
import { isApiError } from '../../api/error';
import { separatorsOf } from '../../core/segments';
import { DocumentText } from '../../ui/DocumentText';
import { FaultList } from '../../ui/FaultList';
import { Panel } from '../../ui/Panel';
import { ErrorState } from '../../ui/States';
import { DocumentEntry } from './DocumentEntry';
import type { Source } from './useSource';

interface Props {
  error: unknown;
  retry: () => void;
  source: Source;
  onDocument: (text: string, name: string) => void;
}

/** A field takes so much without becoming slow; a longer text is shown, not edited. */
const MAX_EDITED_CHARS = 200_000;

/** Why the document cannot be shown, the place of the fault, and the document itself to correct. */
export function InspectRefusal({ error, retry, source, onDocument }: Props) {
  const separators = useMemo(() => separatorsOf(source.text), [source.text]);
  return (
    <>
      <ErrorState error={error} what="The document could not be read." retry={retry} />
      {saysMore(error) && (
        <Panel title="Where">
          <FaultList error={error} />
        </Panel>
      )}
      {source.text.length <= MAX_EDITED_CHARS ? (
        <Panel>
          <DocumentEntry text={source.text} onDocument={onDocument} />
        </Panel>
      ) : (
        <Panel title="Document" flush>
          <DocumentText label="Document" text={source.text} separators={separators} />
        </Panel>
      )}
    </>
  );
}

// Of a single fault the refusal itself tells as much, and where.
function saysMore(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const [only, ...others] = error.details;
  if (only === undefined || others.length > 0) return only !== undefined;
  return !error.message.toLowerCase().includes(only.message.toLowerCase());
}
