import { Page } from '../ui/Page';

export function TransactionPage() {
  return <Page title="Transaction">{null}</Page>;
}
