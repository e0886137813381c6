import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '../api/session';
import { hasSameControlNumbers } from '../core/neighbours';
import { sizeInWords } from '../core/textFile';
import { possibilities } from '../core/transactionActions';
import { visibleText } from '../core/visible';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { isMissing, NoRecord } from '../ui/RecordState';
import { EmptyState, QueryState } from '../ui/States';
import { LinkButton, TextLink } from '../ui/TextLink';
import { CorrectEditor } from './transactions/CorrectEditor';
import { type Content, contentQuery } from './transactions/content';
import { placeQuery } from './transactions/correcting';
import { transactionQuery } from './transactions/detail';
import type { Transaction } from './transactions/queries';
import { SentAlready } from './transactions/Successor';
import { nameOf } from './transactions/TransactionTable';

const route = getRouteApi('/app/transactions/$transactionId/correct');

/** A wrong document in an editor, to be handed in anew. */
export function CorrectPage() {
  const { transactionId } = route.useParams();
  const found = useQuery({ ...transactionQuery(transactionId), refetchInterval: false });
  const name = found.data === undefined ? transactionId : nameOf(found.data);
  return (
    <Page
      title="Correct and resend"
      intro={
        <TextLink to="/app/transactions/$transactionId" params={{ transactionId }}>
          {visibleText(name)}
        </TextLink>
      }
    >
      {/* What is open stays open all the same: somebody may have typed in it. */}
      {found.data === undefined && isMissing(found.error) ? (
        <NoRecord kind="transaction" />
      ) : (
        <QueryState query={found} what="The transaction could not be loaded.">
          {(record) => <Correct record={record} />}
        </QueryState>
      )}
    </Page>
  );
}

function Correct({ record }: { record: Transaction }) {
  const { user } = useSession();
  const why =
    user.role === 'viewer'
      ? 'Your role is viewer: only owners and editors can send documents.'
      : possibilities(record).correct.why;
  const content = useQuery({ ...contentQuery(record.id), enabled: why === '' });
  if (why !== '') return <NotCorrectable record={record}>{why}</NotCorrectable>;
  if (content.data === undefined && isMissing(content.error)) {
    return (
      <NotCorrectable record={record}>
        The document is no longer stored: its retention period is over. Submit it again from the
        system that created it.
      </NotCorrectable>
    );
  }
  return (
    <QueryState query={content} what="The document could not be loaded.">
      {(found) =>
        found.isWhole ? (
          <>
            <SentAlready record={record} />
            <Edited record={record} content={found} />
          </>
        ) : (
          <NotCorrectable record={record}>
            {`With ${sizeInWords(record.file_size)} the document is too large to be corrected here. Download it from its page, correct it, and submit it with the API.`}
          </NotCorrectable>
        )
      }
    </QueryState>
  );
}

/** The editor, as soon as it is known which set of the document is that of the record. */
function Edited({ record, content }: { record: Transaction; content: Content }) {
  const isAsked = useMemo(
    () => record.interchange_id !== null && hasSameControlNumbers(record, content.text),
    [record, content],
  );
  const place = useQuery({ ...placeQuery(record, content), enabled: isAsked });
  if (!isAsked) return <CorrectEditor record={record} content={content} place={null} />;
  return (
    <QueryState query={place} what="The position of the transaction in its document is unknown.">
      {(found) => <CorrectEditor record={record} content={content} place={found} />}
    </QueryState>
  );
}

function NotCorrectable({ record, children }: { record: Transaction; children: string }) {
  return (
    <Panel>
      <EmptyState
        action={
          <LinkButton
            to="/app/transactions/$transactionId"
            params={{ transactionId: String(record.id) }}
            variant="default"
          >
            Back to the transaction
          </LinkButton>
        }
      >
        {children}
      </EmptyState>
    </Panel>
  );
}
