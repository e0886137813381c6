import { Page } from '../ui/Page';

export function AuditPage() {
  return <Page title="Audit log">{null}</Page>;
}
