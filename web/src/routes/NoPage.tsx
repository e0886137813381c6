import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState } from '../ui/States';
import { LinkButton } from '../ui/TextLink';

/** An address of the application that leads nowhere; the navigation stays. */
export function NoPage() {
  return (
    <Page title="Page not found">
      <Panel>
        <EmptyState action={<LinkButton to="/app">Go to the overview</LinkButton>}>
          The address may be mistyped, or the page was removed.
        </EmptyState>
      </Panel>
    </Page>
  );
}
