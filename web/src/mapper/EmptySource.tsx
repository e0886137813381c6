import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ErrorState, Loading } from '../ui/States';
import { madeSample, samplesQuery } from './server';
import type { MapperState } from './useMapper';
import type { Page } from './usePage';

/** Instead of source rows: there is no document yet, it is being read, or it cannot be read. */
export function EmptySource({ mapper, page }: { mapper: MapperState; page: Page }) {
  const { inspection } = mapper.read;
  const { shown } = mapper.documents;
  if (shown === null) return <NoDocument mapper={mapper} page={page} />;
  if (inspection.isError) {
    return (
      <ErrorState
        error={inspection.error}
        what="The document could not be read."
        retry={() => void inspection.refetch()}
      />
    );
  }
  if (inspection.isPending) return <Loading label="The document is read" />;
  const { filter, tree } = mapper.sourceSide;
  return (
    <Text size="sm">
      {tree.search !== ''
        ? 'No field has this name, value or code.'
        : filter === 'unused'
          ? 'Every field of the sample is used.'
          : 'The document has no fields.'}
    </Text>
  );
}

function NoDocument({ mapper, page }: { mapper: MapperState; page: Page }) {
  const { editor } = mapper;
  const { state } = editor;
  const samples = useQuery(samplesQuery);
  const made = useMutation({
    mutationFn: () => madeSample(state.tx_set, { kind: 'plain' }),
    onSuccess: ({ document }) =>
      editor.edit({ ...state, sample: { document, format: 'x12' } }, 'Made a sample'),
  });
  const fitting = samples.data?.filter(
    ({ format, tx_set }) =>
      format === state.source_fmt && (format !== 'x12' || tx_set === state.tx_set),
  );
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">This map has no sample document, so there are no fields to show.</Text>
      <Button
        size="compact-md"
        variant="default"
        disabled={editor.readOnly}
        onClick={() => page.setSheet('add-document')}
      >
        Add a document
      </Button>
      {fitting?.map(({ name, title, document, format }) => (
        <Button
          key={name}
          size="compact-md"
          variant="default"
          disabled={editor.readOnly}
          onClick={() =>
            editor.edit({ ...state, sample: { document, format } }, `Used the sample ${title}`)
          }
        >
          Use the sample {title}
        </Button>
      ))}
      {state.source_fmt === 'x12' && state.tx_set !== '' && (
        <Button
          size="compact-md"
          variant="default"
          disabled={editor.readOnly}
          loading={made.isPending}
          onClick={() => made.mutate()}
        >
          Make a sample of {state.tx_set}
        </Button>
      )}
      {made.isError && <ErrorState error={made.error} what="The sample could not be made." />}
    </Stack>
  );
}
