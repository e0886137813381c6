import { EmptyState } from '../../ui/States';
import { LinkButton } from '../../ui/TextLink';

/** Said in place of a record that is not there, or not any more. `wasThere`: it was shown before. */
export function NoSuchTransaction({ wasThere = false }: { wasThere?: boolean }) {
  return (
    <EmptyState
      action={
        <LinkButton to="/app/transactions" variant="default">
          All transactions
        </LinkButton>
      }
    >
      {wasThere
        ? 'This transaction was deleted while the page was open: the time for which the account keeps it is over. Below is what was known of it.'
        : 'There is no such transaction in this environment. It may have been deleted when the time for which the account keeps it was over.'}
    </EmptyState>
  );
}
