import { Button } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session';
import { DECISIONS } from '../core/decisionWords';
import {
  type Decision,
  decisionsFor,
  INTERCHANGE_STATUSES,
  reasonInWords,
} from '../core/interchangeWords';
import { DangerButton } from '../ui/DangerButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { isMissing, RecordState } from '../ui/RecordState';
import { TextLink } from '../ui/TextLink';
import { DecisionDialog } from './interchanges/DecisionDialog';
import { InterchangeFacts } from './interchanges/InterchangeFacts';
import { InterchangeRecords } from './interchanges/InterchangeRecords';
import classes from './interchanges/Interchanges.module.css';
import { InterchangeText } from './interchanges/InterchangeText';
import {
  type Interchange,
  interchangeQuery,
  recordQuery,
  type Transaction,
} from './interchanges/queries';

const route = getRouteApi('/app/interchanges/$interchangeId');

/** More records are not asked for one by one. */
const MAX_RECORDS = 20;

/** One interchange: why it is where it is, what can be done about it, and what it holds. */
export function InterchangePage() {
  const { interchangeId } = route.useParams();
  const interchange = useQuery(interchangeQuery(interchangeId));
  const found = interchange.data;
  return (
    <Page
      title={`Interchange ${interchangeId}`}
      intro={<TextLink to="/app/interchanges">All interchanges</TextLink>}
      {...(found !== undefined &&
        !isMissing(interchange.error) && { actions: <Actions of={found} /> })}
    >
      <RecordState query={interchange} kind="interchange">
        {(shown) => <Contents of={shown} />}
      </RecordState>
    </Page>
  );
}

function Contents({ of }: { of: Interchange }) {
  const { user } = useSession();
  const records = useQueries({
    queries: of.transaction_ids.slice(0, MAX_RECORDS).map((id) => recordQuery(id, of.status)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return (
    <>
      <Why of={of} records={records} />
      <Panel>
        <InterchangeFacts of={of} />
      </Panel>
      <InterchangeRecords
        total={of.transaction_ids.length}
        records={records}
        mayCorrect={user.role !== 'viewer'}
      />
      <InterchangeText of={of} />
    </>
  );
}

/** Why it was set aside and what helps; of all others what their status means. */
function Why({ of, records }: { of: Interchange; records: readonly Transaction[] }) {
  const said = records.find(({ last_error }) => last_error?.code === of.reason)?.last_error;
  const reason = reasonInWords(of.reason, said?.message);
  const isWaiting = of.status === 'quarantined';
  return (
    <Panel title={isWaiting ? 'Reason for the quarantine' : 'Status'}>
      <div className={classes.why}>
        {reason !== null && <p>{reason.what}</p>}
        {reason !== null && isWaiting ? (
          <p>{reason.todo}</p>
        ) : (
          <p>{INTERCHANGE_STATUSES[of.status].about}</p>
        )}
      </div>
    </Panel>
  );
}

function Actions({ of }: { of: Interchange }) {
  const { user } = useSession();
  const [asked, setAsked] = useState<Decision | null>(null);
  if (user.role === 'viewer') return null;
  return (
    <>
      {decisionsFor(of.status, of.direction).map((decision) => {
        const Kind = decision === 'discard' ? DangerButton : DefaultButton;
        return (
          <Kind key={decision} onClick={() => setAsked(decision)}>
            {DECISIONS[decision].verb}…
          </Kind>
        );
      })}
      {asked !== null && (
        <DecisionDialog decision={asked} of={[of]} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

function DefaultButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="default" onClick={onClick}>
      {children}
    </Button>
  );
}
