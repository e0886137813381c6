import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSession } from '../api/session';
import { definitionWords } from '../core/checked';
import type { MapState, Suggestion } from '../core/model';
import { type Shape, shapeOf, shapeWords } from '../core/shape';
import { counted } from '../core/treeWords';
import { checkedOf } from '../routes/inspect/queries';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, ErrorState, Loading } from '../ui/States';
import { LinkButton } from '../ui/TextLink';
import { documentId } from './documents';
import { forgetHandover, type Handover, handedOver } from './handover';
import { NewDraftNotice } from './NewDraftNotice';
import { inspected, samplesQuery } from './server';
import { TargetChoice } from './TargetChoice';

export interface Beginning {
  state: MapState;
  /** Offered at once, with those of the server. */
  suggestions: Suggestion[] | null;
}

/** Before a new map: the document it is drawn over, then what it shall become. */
export function NewMap({ onBegin }: { onBegin: (beginning: Beginning) => void }) {
  const [source, setSource] = useState<Handover | null>(handedOver);
  const { user } = useSession();
  if (user.role === 'viewer') return <NotForViewers />;
  if (source === null) return <DocumentChoice onChosen={setSource} />;
  const begin = (beginning: Beginning) => {
    forgetHandover();
    onBegin(beginning);
  };
  return (
    <Page
      title="New map"
      intro="Choose what the document should become. Everything can be changed later."
      actions={
        <Button variant="default" onClick={() => setSource(null)}>
          Another document
        </Button>
      }
    >
      <NewDraftNotice />
      <Chosen source={source} onBegin={begin} />
    </Page>
  );
}

function NotForViewers() {
  const back = <LinkButton to="/app/maps">Back to maps</LinkButton>;
  return (
    <Page title="New map">
      <EmptyState action={back}>
        Your role is viewer: you can view maps. Only editors and owners can create them.
      </EmptyState>
    </Page>
  );
}

function Chosen({
  source,
  onBegin,
}: {
  source: Handover;
  onBegin: (beginning: Beginning) => void;
}) {
  const shape = useMemo(() => shapeOf(source.document), [source.document]);
  const inspection = useQuery({
    queryKey: ['inspect', source.format, documentId(shape.document)],
    queryFn: ({ signal }) => inspected(shape.document, source.format, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (inspection.isPending) return <Loading label="The document is read" />;
  if (inspection.isError) {
    const retry = () => void inspection.refetch();
    return (
      <ErrorState error={inspection.error} what="The document could not be read." retry={retry} />
    );
  }
  const found = inspection.data;
  const kind = found.format === 'x12' ? `X12 ${found.tx_set}` : found.format.toUpperCase();
  return (
    <Stack gap="lg">
      <Text>
        <strong>{kind}</strong>
        {found.tx_set_name === '' ? '' : ` ${found.tx_set_name}`}
        {found.version === '' ? '' : `, ${found.version}`}, {checkedWords(found, shape)}
      </Text>
      <TargetChoice source={source} inspection={found} onBegin={onBegin} />
    </Stack>
  );
}

/** What is known of the document; of one that is cut nothing is said that only the whole shows. */
function checkedWords(found: Awaited<ReturnType<typeof inspected>>, { cut }: Shape): string {
  if (cut !== null) {
    return `${counted(cut.of, 'segment')}. The fields are taken from ${shapeWords(cut)}; the document was not validated.`;
  }
  return `${found.field_count} values. ${outcomeWords(found)}`;
}

function outcomeWords(found: Awaited<ReturnType<typeof inspected>>): string {
  const checked = checkedOf(found);
  if (found.outcome === 'not_checked' && checked !== null) {
    return `Not checked. ${definitionWords(checked)}`;
  }
  return found.valid === true
    ? 'Valid.'
    : `${counted(found.finding_count ?? found.findings.length, 'finding')}.`;
}

function DocumentChoice({ onChosen }: { onChosen: (source: Handover) => void }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const samples = useQuery(samplesQuery);
  const use = async (document: string) => {
    setBusy(true);
    setError(null);
    try {
      const found = await inspected(shapeOf(document).document, null);
      onChosen({ document, format: found.format });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page title="New map" intro="A map starts from a document. Paste one, or use a sample.">
      <NewDraftNotice />
      {error !== null && <ErrorState error={error} what="The document could not be read." />}
      <Panel title="Your document">
        <Stack gap="md" align="flex-start">
          <Textarea
            label="Document"
            description="X12, JSON, XML or CSV. It is sent to your own server only."
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autosize
            minRows={6}
            maxRows={16}
            w="100%"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <Button loading={busy} disabled={text.trim() === ''} onClick={() => void use(text)}>
            Use this document
          </Button>
        </Stack>
      </Panel>
      <Panel title="Samples">
        {samples.isError && (
          <ErrorState error={samples.error} what="The samples could not be loaded." />
        )}
        <Group gap="sm">
          {samples.data?.map((sample) => (
            <Button
              key={sample.name}
              variant="default"
              size="compact-md"
              disabled={busy}
              onClick={() => onChosen({ document: sample.document, format: sample.format })}
            >
              {sample.title}
            </Button>
          ))}
        </Group>
      </Panel>
      <Panel title="Or start from a finished map">
        <Stack gap="sm" align="flex-start">
          <Text>Copy a starter map for a common transaction set in the list of maps.</Text>
          <LinkButton to="/app/maps" search={{ dialog: 'new' }} variant="default" size="compact-md">
            Starter maps
          </LinkButton>
        </Stack>
      </Panel>
    </Page>
  );
}
