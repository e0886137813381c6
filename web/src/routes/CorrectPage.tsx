import { Page } from '../ui/Page';

export function CorrectPage() {
  return <Page title="Correct and resend">{null}</Page>;
}
