import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState } from '../ui/States';
import { LinkButton } from '../ui/TextLink';

/** An address of the application that leads nowhere; the navigation stays. */
export function NoPage() {
  return (
    <Page title="There is no such page">
      <Panel>
        <EmptyState action={<LinkButton to="/app">To the overview</LinkButton>}>
          The address may be mistyped, or what it led to was removed.
        </EmptyState>
      </Panel>
    </Page>
  );
}
