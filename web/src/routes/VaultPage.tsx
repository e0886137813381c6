import { Page } from '../ui/Page';

export function VaultPage() {
  return <Page title="Vault">{null}</Page>;
}
