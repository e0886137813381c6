import { Page } from '../ui/Page';

export function InspectPage() {
  return <Page title="Inspect">{null}</Page>;
}
