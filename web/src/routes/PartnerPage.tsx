import { Page } from '../ui/Page';

export function PartnerPage() {
  return <Page title="Partner">{null}</Page>;
}
