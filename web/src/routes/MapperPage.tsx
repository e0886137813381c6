import { Page } from '../ui/Page';

export function MapperPage() {
  return <Page title="Mapper">{null}</Page>;
}
