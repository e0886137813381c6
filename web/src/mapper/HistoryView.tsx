import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lineDiff, ruleDiff } from '../core/diff';
import { ErrorState, Loading, QueryState } from '../ui/States';
import { Time } from '../ui/Time';
import { DiffLines } from './DiffLines';
import { documentId, ownDocuments } from './documents';
import { formatted } from './formatted';
import overlay from './Overlay.module.css';
import { RestoreVersion } from './RestoreVersion';
import { type Base, mapQuery, previewed, stateOf, versionsQuery } from './server';
import type { MapperState } from './useMapper';
import type { Page } from './usePage';
import { candidateOf } from './usePreview';

interface Props {
  mapper: MapperState;
  base: Base;
  page: Page;
}

/** The saved versions, and how one differs from what is edited now. */
export function HistoryView({ mapper, base, page }: Props) {
  const versions = useQuery(versionsQuery(base.id));
  return (
    <QueryState query={versions} what="The history could not be loaded.">
      {(list) => (
        <Stack gap="md">
          <ul className={overlay.list} aria-label="Versions">
            {list.map((each) => (
              <li key={each.version} className={overlay.item}>
                <Group justify="space-between" gap="sm">
                  <span>
                    <strong>Version {each.version}</strong> <Time value={each.created_at} />,{' '}
                    {each.author}
                    {each.note === '' ? '' : `: ${each.note}`}{' '}
                    <span className={overlay.marks}>
                      +{each.added} −{each.removed} ~{each.changed}
                    </span>
                  </span>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-pressed={page.version === each.version}
                    onClick={() => page.setVersion(each.version)}
                  >
                    Compare
                  </Button>
                </Group>
              </li>
            ))}
          </ul>
          {page.version !== null && (
            <Comparison
              key={page.version}
              version={page.version}
              mapper={mapper}
              base={base}
              newest={Math.max(...list.map((each) => each.version))}
              page={page}
            />
          )}
        </Stack>
      )}
    </QueryState>
  );
}

interface ComparisonProps {
  version: number;
  mapper: MapperState;
  base: Base;
  newest: number;
  page: Page;
}

function Comparison({ version, mapper, base, newest, page }: ComparisonProps) {
  const { editor } = mapper;
  const old = useQuery(mapQuery(String(base.id), version));
  if (old.isPending) return <Loading />;
  if (old.isError) return <ErrorState error={old.error} what="The version could not be loaded." />;
  const before = stateOf(old.data);
  const changes = ruleDiff(before.field_map, editor.state.field_map);
  return (
    <Stack gap="sm">
      <RestoreVersion version={version} newest={newest} editor={editor} base={base} page={page} />
      {changes.length === 0 ? (
        <Text size="sm">The rules are the same.</Text>
      ) : (
        <section className={overlay.diff} aria-label="Differences between rules">
          {changes.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several rules may have one target
            <div key={index}>
              {change.before !== null && (
                <div className={overlay.minus}>- {JSON.stringify(change.before)}</div>
              )}
              {change.after !== null && (
                <div className={overlay.plus}>+ {JSON.stringify(change.after)}</div>
              )}
            </div>
          ))}
        </section>
      )}
      <OutputChanges mapper={mapper} before={before} version={version} />
    </Stack>
  );
}

interface OutputProps {
  mapper: MapperState;
  before: ReturnType<typeof stateOf>;
  version: number;
}

/** The outputs of both over all documents of the map. */
function OutputChanges({ mapper, before, version }: OutputProps) {
  const { state, base } = mapper.editor;
  const documents = ownDocuments(state);
  const comparison = useQuery({
    queryKey: ['map', base?.id, 'compared', version, documentId(JSON.stringify(state))],
    queryFn: () =>
      Promise.all(
        documents.map(async ({ label, document }) => {
          const [one, other] = await Promise.all(
            [before, state].map((each) => outputOf(each, document)),
          );
          return { label, one: one ?? '', other: other ?? '' };
        }),
      ),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (comparison.isPending) return <Loading />;
  if (comparison.isError) return <ErrorState error={comparison.error} what="No comparison." />;
  return (
    <Stack gap="sm">
      {comparison.data.map(({ label, one, other }) => (
        <div key={label}>
          <Text size="sm" fw={600}>
            Output of {label}
          </Text>
          {one === other ? (
            <Text size="sm">The same.</Text>
          ) : (
            <DiffLines changes={lineDiff(one, other)} label={`Differences of ${label}`} />
          )}
        </div>
      ))}
    </Stack>
  );
}

async function outputOf(state: ReturnType<typeof stateOf>, document: string): Promise<string> {
  try {
    const { output, format } = await previewed(candidateOf(state), document);
    return formatted(output, format);
  } catch (error) {
    return `No output: ${error instanceof Error ? error.message : 'it failed'}`;
  }
}
