import { Page } from '../ui/Page';

export function AcksPage() {
  return <Page title="Acknowledgements">{null}</Page>;
}
