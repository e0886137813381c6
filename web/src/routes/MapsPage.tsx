import { Page } from '../ui/Page';

export function MapsPage() {
  return <Page title="Maps">{null}</Page>;
}
