/** What a page says of a record that is not there, or not any more. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isApiError } from '../api/error';
import { Panel } from './Panel';
import { EmptyState, QueryState } from './States';
import { LinkButton } from './TextLink';

const BY_ENVIRONMENT = {
  where: 'in this environment',
  why: 'It may belong to the other environment, or it was deleted when its retention period was over.',
} as const;
const MADE = {
  where: 'in this account',
  why: 'It may have been deleted, or the address is mistyped.',
} as const;

const KINDS = {
  transaction: { list: '/app/transactions', all: 'All transactions', ...BY_ENVIRONMENT },
  interchange: { list: '/app/interchanges', all: 'All interchanges', ...BY_ENVIRONMENT },
  'stored document': { list: '/app/vault', all: 'All stored documents', ...BY_ENVIRONMENT },
  partner: { list: '/app/partners', all: 'All partners', ...MADE },
  'webhook endpoint': {
    ...{ list: '/app/webhooks', all: 'All webhooks' },
    where: 'in this environment',
    why: 'It may belong to the other environment, or it was deleted.',
  },
  map: { list: '/app/maps', all: 'All maps', ...MADE },
} as const;

type Kind = keyof typeof KINDS;

/** Whether a call was refused since what it asked for is not there; asking again changes nothing. */
export function isMissing(error: unknown): boolean {
  return isApiError(error) && error.code === 'not_found';
}

/** Said in place of a record that is not there. `wasThere`: the page shows what it was. */
export function NoRecord({ kind, wasThere = false }: { kind: Kind; wasThere?: boolean }) {
  const { list, all, where, why } = KINDS[kind];
  return (
    <Panel>
      <EmptyState
        action={
          <LinkButton to={list} variant="default">
            {all}
          </LinkButton>
        }
      >
        {wasThere
          ? `This ${kind} was deleted while the page was open. The last known data is shown below.`
          : `This ${kind} does not exist ${where}. ${why}`}
      </EmptyState>
    </Panel>
  );
}

interface Props<Data> {
  query: UseQueryResult<Data>;
  kind: Kind;
  children: (data: Data) => ReactNode;
}

/** The record of a page: loading, failed, missing, or shown; what was shown stays when it is gone. */
export function RecordState<Data>({ query, kind, children }: Props<Data>) {
  if (!isMissing(query.error)) {
    return (
      <QueryState query={query} what={`The ${kind} could not be loaded.`}>
        {children}
      </QueryState>
    );
  }
  const { data } = query;
  return (
    <>
      <NoRecord kind={kind} wasThere={data !== undefined} />
      {data !== undefined && children(data)}
    </>
  );
}
