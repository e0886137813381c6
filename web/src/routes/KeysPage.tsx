import { Page } from '../ui/Page';

export function KeysPage() {
  return <Page title="Keys">{null}</Page>;
}
