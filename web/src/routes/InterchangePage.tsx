import { Page } from '../ui/Page';

export function InterchangePage() {
  return <Page title="Interchange">{null}</Page>;
}
