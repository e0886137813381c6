import { Page } from '../ui/Page';

export function TransactionsPage() {
  return <Page title="Transactions">{null}</Page>;
}
