import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { visibleText } from '../core/visible';
import { Page } from '../ui/Page';
import { isMissing, RecordState } from '../ui/RecordState';
import { TextLink } from '../ui/TextLink';
import { webhookQuery } from './webhooks/api';
import { Deliveries } from './webhooks/Deliveries';
import { WebhookActions } from './webhooks/WebhookActions';
import { WebhookHead } from './webhooks/WebhookHead';

const route = getRouteApi('/app/webhooks/$webhookId');

/** One endpoint: where and about what it is called, and what became of the calls. */
export function WebhookPage() {
  const { webhookId } = route.useParams();
  const { before, delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const { user } = useSession();
  const webhook = useQuery(webhookQuery(webhookId));
  const found = webhook.data;
  const mayChange = user.role !== 'viewer' && !isMissing(webhook.error);
  return (
    <Page
      title={visibleText(found?.description ?? '') || 'Webhook endpoint'}
      intro={<TextLink to="/app/webhooks">All webhooks</TextLink>}
      {...(found !== undefined && mayChange && { actions: <WebhookActions webhook={found} /> })}
    >
      <RecordState query={webhook} kind="webhook endpoint">
        {(known) => (
          <>
            <WebhookHead webhook={known} />
            <Deliveries
              webhook={known}
              mayReplay={mayChange && known.status === 'active'}
              before={before}
              opened={delivery}
              onTurn={(position) => void navigate({ search: { before: position } })}
              onOpen={(id) =>
                void navigate({
                  search: { before, delivery: id },
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </>
        )}
      </RecordState>
    </Page>
  );
}
