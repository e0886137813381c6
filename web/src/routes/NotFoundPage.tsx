import { FullPageState } from '../ui/States';
import { LinkButton } from '../ui/TextLink';

export function NotFoundPage() {
  return (
    <FullPageState title="There is no such page">
      <p>The address may be mistyped, or what it led to was removed.</p>
      <LinkButton to="/app">To the overview</LinkButton>
    </FullPageState>
  );
}
