import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { useSession } from '../api/session';
import { possibilities } from '../core/transactionActions';
import { visibleText } from '../core/visible';
import { CopyButton } from '../ui/CopyButton';
import { Icon } from '../ui/Icon';
import { Page } from '../ui/Page';
import { isMissing, RecordState } from '../ui/RecordState';
import { TabList } from '../ui/TabList';
import { TextLink } from '../ui/TextLink';
import { TransactionStatus } from '../ui/TransactionStatus';
import { CompareTab } from './transactions/CompareTab';
import classes from './transactions/Detail.module.css';
import { transactionQuery } from './transactions/detail';
import { FindingsTab } from './transactions/FindingsTab';
import { AcksTab, DeliveriesTab, EventsTab } from './transactions/HistoryTabs';
import { FieldsTab, TreeTab } from './transactions/InspectedTabs';
import type { Transaction } from './transactions/queries';
import { Download, RawTab } from './transactions/RawTab';
import { RedactedDialog } from './transactions/RedactedDialog';
import { SentAnew, useSuccessor } from './transactions/Successor';
import { CorrectLink, RetryButton, TransactionActions } from './transactions/TransactionActions';
import { TransactionHead } from './transactions/TransactionHead';
import { nameOf } from './transactions/TransactionTable';

const route = getRouteApi('/app/transactions/$transactionId');

/** One document that was sent or received: what it is, what became of it, what can be done. */
export function TransactionPage() {
  const { transactionId } = route.useParams();
  const { user } = useSession();
  const found = useQuery(transactionQuery(transactionId));
  const record = found.data;
  const isGone = isMissing(found.error);
  return (
    <Page
      title={record === undefined ? `Transaction ${visibleText(transactionId)}` : titleOf(record)}
      intro={
        <span className={classes.badges}>
          <TextLink to="/app/transactions">All transactions</TextLink>
          {record !== undefined && <TransactionStatus of={record} />}
          {record !== undefined && <SentAnew record={record} />}
        </span>
      }
      {...(record !== undefined && { actions: <HeadActions record={record} /> })}
    >
      <RecordState query={found} kind="transaction">
        {(shown) => (
          // Of another record nothing of the one before is shown while it is loaded.
          <Fragment key={shown.id}>
            <TransactionHead record={shown} />
            <Views record={shown} />
            {user.role !== 'viewer' && !isGone && <TransactionActions record={shown} />}
          </Fragment>
        )}
      </RecordState>
    </Page>
  );
}

/** `850 Purchase order · PO-12345`. */
function titleOf(record: Transaction): string {
  const set = `${record.tx_set} ${record.tx_set_name}`.trim() || 'Unreadable document';
  return visibleText(`${set} · ${nameOf(record)}`);
}

function HeadActions({ record }: { record: Transaction }) {
  const { user } = useSession();
  const [isRedacting, setRedacting] = useState(false);
  const { successor, isKnown } = useSuccessor(record);
  const mayAct = user.role !== 'viewer';
  const mayReplace = mayAct && isKnown && successor === null;
  // What did not arrive is right as it is; then sending it again is the usual way.
  const isUndelivered = record.delivery_status === 'failed';
  const isRetried = record.delivery_status === 'pending' && record.attempts > 0;
  const mayCorrect = mayReplace && !isUndelivered && possibilities(record).correct.why === '';
  return (
    <>
      {mayAct && (isUndelivered || isRetried) && <RetryButton record={record} />}
      {mayCorrect && (
        <div>
          <CorrectLink record={record} />
        </div>
      )}
      <Download record={record} />
      <Button
        variant="default"
        leftSection={<Icon name="copy" size={16} />}
        onClick={() => setRedacting(true)}
      >
        Copy redacted…
      </Button>
      <CopyButton text={curlOf(record)} what="as curl" size="sm" />
      {isRedacting && <RedactedDialog record={record} onClose={() => setRedacting(false)} />}
    </>
  );
}

/** What a program would ask; the reader puts a key of theirs into LONGSHORE_KEY. */
function curlOf({ id }: Transaction): string {
  const url = `${window.location.origin}/api/v1/transactions/${id}`;
  return `curl -sS '${url}' -H "Authorization: Bearer $LONGSHORE_KEY"`;
}

const TABS = [
  { tab: 'raw', name: 'Raw' },
  { tab: 'tree', name: 'Tree' },
  { tab: 'fields', name: 'Fields' },
  { tab: 'findings', name: 'Findings' },
  { tab: 'deliveries', name: 'Deliveries' },
  { tab: 'acks', name: 'Acknowledgements' },
  { tab: 'events', name: 'Events' },
] as const;

function Views({ record }: { record: Transaction }) {
  const { tab = 'raw', at, with: comparedWith } = route.useSearch();
  const navigate = route.useNavigate();
  // What was received and handed in corrected has no parent; the address then says what it was.
  const comparedId = record.parent_id ?? comparedWith ?? null;
  const shown = tab === 'compare' && comparedId === null ? 'raw' : tab;
  const choose = (chosen: string | null) => {
    const next = [...TABS, { tab: 'compare' } as const].find((each) => each.tab === chosen);
    void navigate({
      search: { tab: next?.tab === 'raw' ? undefined : next?.tab, with: comparedWith },
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <Tabs value={shown} onChange={choose} keepMounted={false}>
      <TabList>
        {TABS.map(({ tab: value, name }) => (
          <Tabs.Tab key={value} value={value}>
            {name}
          </Tabs.Tab>
        ))}
        {comparedId !== null && <Tabs.Tab value="compare">Compared with {comparedId}</Tabs.Tab>}
      </TabList>
      <Tabs.Panel value={shown} pt="md">
        <div className={classes.view}>
          {shown === 'compare' && comparedId !== null ? (
            <CompareTab record={record} parentId={comparedId} />
          ) : (
            viewOf(shown, record, at)
          )}
        </div>
      </Tabs.Panel>
    </Tabs>
  );
}

function viewOf(tab: string, record: Transaction, at: string | undefined) {
  if (tab === 'tree') return <TreeTab record={record} />;
  if (tab === 'fields') return <FieldsTab record={record} />;
  if (tab === 'findings') return <FindingsTab record={record} />;
  if (tab === 'deliveries') return <DeliveriesTab record={record} />;
  if (tab === 'acks') return <AcksTab record={record} />;
  if (tab === 'events') return <EventsTab record={record} />;
  return <RawTab record={record} at={at} />;
}
