import { Page } from '../ui/Page';

export function VaultDocumentPage() {
  return <Page title="VaultDocument">{null}</Page>;
}
