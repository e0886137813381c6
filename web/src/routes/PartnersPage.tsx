import { Page } from '../ui/Page';

export function PartnersPage() {
  return <Page title="Partners">{null}</Page>;
}
