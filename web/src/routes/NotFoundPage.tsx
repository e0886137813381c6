import { FullPageState } from '../ui/States';
import { LinkButton } from '../ui/TextLink';

export function NotFoundPage() {
  return (
    <FullPageState title="Page not found">
      <p>The address may be mistyped, or the page was removed.</p>
      <LinkButton to="/app">Go to the overview</LinkButton>
    </FullPageState>
  );
}
