import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { type FieldRow, fieldRows, rowsWith } from '../../core/fieldRows';
import { sizeInWords } from '../../core/textFile';
import { counted } from '../../core/treeWords';
import { type Column, DataTable } from '../../ui/DataTable';
import { Panel } from '../../ui/Panel';
import { isMissing } from '../../ui/RecordState';
import { EmptyState, QueryState } from '../../ui/States';
import { VisibleText } from '../../ui/VisibleText';
import type { Inspection } from '../inspect/queries';
import { TreeAndRow } from '../inspect/TreeAndRow';
import { type Content, contentQuery, inspectedContentQuery } from './content';
import classes from './Detail.module.css';
import type { Transaction } from './queries';
import { NoContent } from './RawTab';

const route = getRouteApi('/app/transactions/$transactionId');
const AT_ONCE = 200;

interface Props {
  record: Transaction;
}

interface InspectedProps extends Props {
  children: (result: Inspection) => ReactNode;
}

/** Shows what the service reads in the document of a record, or why there is nothing to read. */
export function Inspected({ record, children }: InspectedProps) {
  const content = useQuery(contentQuery(record.id));
  if (isMissing(content.error)) return <NoContent />;
  return (
    <QueryState query={content} what="The document could not be loaded.">
      {(found) =>
        found.isWhole ? (
          <InspectedContent record={record} content={found}>
            {children}
          </InspectedContent>
        ) : (
          <Panel>
            <EmptyState>
              With {sizeInWords(record.file_size)} the document is too large to be shown here.
              Download it, or parse it with the API.
            </EmptyState>
          </Panel>
        )
      }
    </QueryState>
  );
}

function InspectedContent({ record, content, children }: InspectedProps & { content: Content }) {
  const inspected = useQuery(inspectedContentQuery(record, content));
  return (
    <QueryState query={inspected} what="The document could not be read.">
      {children}
    </QueryState>
  );
}

export function TreeTab({ record }: Props) {
  const { at } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (path: string) =>
    void navigate({
      search: (now) => ({ ...now, at: path }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Inspected record={record}>
      {(result) => <TreeAndRow result={result} at={at} onAt={choose} />}
    </Inspected>
  );
}

export function FieldsTab({ record }: Props) {
  return <Inspected record={record}>{(result) => <Fields result={result} />}</Inspected>;
}

const COLUMNS: Column<FieldRow>[] = [
  {
    key: 'path',
    title: 'Field',
    lead: true,
    cell: ({ path }) => (
      <code>
        <VisibleText text={path} />
      </code>
    ),
  },
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  {
    key: 'value',
    title: 'Value',
    cell: ({ value }) => (
      <span className={classes.value}>
        <VisibleText text={value.slice(0, 200)} />
      </span>
    ),
  },
  {
    key: 'meaning',
    title: 'Meaning',
    cell: ({ meaning }) => (meaning === '' ? '–' : <VisibleText text={meaning} />),
  },
];

function Fields({ result }: { result: Inspection }) {
  const [wanted, setWanted] = useState('');
  const [most, setMost] = useState(AT_ONCE);
  const all = useMemo(() => fieldRows(result.tree), [result]);
  const rows = rowsWith(all, wanted);
  return (
    <Panel
      title="Fields"
      flush
      actions={
        <TextInput
          aria-label="Find a field"
          placeholder="Find a field"
          type="search"
          size="xs"
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      }
    >
      {rows.length === 0 ? (
        <EmptyState>No field matches.</EmptyState>
      ) : (
        <DataTable
          label="Fields of the document"
          columns={COLUMNS}
          rows={rows.slice(0, most)}
          rowKey={({ path }) => path}
        />
      )}
      <div className={classes.rest}>
        {counted(rows.length, 'field')}
        {result.tree_truncated && '; the document continues after the list'}{' '}
        {rows.length > most && (
          <Button size="compact-sm" variant="default" onClick={() => setMost(most + AT_ONCE)}>
            Show {Math.min(AT_ONCE, rows.length - most)} more
          </Button>
        )}
      </div>
    </Panel>
  );
}
