import { Page } from '../ui/Page';

export function InterchangesPage() {
  return <Page title="Interchanges">{null}</Page>;
}
