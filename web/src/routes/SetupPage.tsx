import { Page } from '../ui/Page';

export function SetupPage() {
  return <Page title="Setup">{null}</Page>;
}
