import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, QueryState } from '../ui/States';
import { webhooksQuery } from './webhooks/api';
import { NewWebhookDialog } from './webhooks/dialogs';
import { WebhookTable } from './webhooks/WebhookTable';

const route = getRouteApi('/app/webhooks');

const INTRO =
  'Longshore calls these URLs with a small signed request for each event in the selected environment.';

/** The URLs that are called about events. */
export function WebhooksPage() {
  const { new: isNew = false } = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const webhooks = useQuery(webhooksQuery);
  const mayChange = user.role !== 'viewer';
  const show = (search: { new?: true }) =>
    void navigate({ search, replace: true, resetScroll: false });
  const newEndpoint = mayChange && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => show({ new: true })}>
      New endpoint
    </Button>
  );
  const isEmpty = webhooks.data?.length === 0;
  return (
    <Page
      title="Webhooks"
      intro={
        mayChange
          ? INTRO
          : `${INTRO} Your role is viewer: only owners and editors can create and change endpoints.`
      }
      actions={!isEmpty && newEndpoint}
    >
      <Panel title="Endpoints" flush>
        <QueryState query={webhooks} what="The webhook endpoints could not be loaded.">
          {(found) =>
            found.length === 0 ? (
              <EmptyState action={newEndpoint}>There are no webhook endpoints yet.</EmptyState>
            ) : (
              <WebhookTable webhooks={found} />
            )
          }
        </QueryState>
      </Panel>
      {mayChange && isNew && <NewWebhookDialog onClose={() => show({})} />}
    </Page>
  );
}
