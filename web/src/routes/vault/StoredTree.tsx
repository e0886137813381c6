import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { QueryState } from '../../ui/States';
import { inspectQuery } from '../inspect/queries';
import { TreeAndRow } from '../inspect/TreeAndRow';
import type { StoredDetail } from './queries';

const route = getRouteApi('/app/vault/$docId');

/** A stored document as Inspect shows it. */
export function StoredTree({ stored }: { stored: StoredDetail }) {
  const { at } = route.useSearch();
  const navigate = route.useNavigate();
  const inspection = useQuery(
    inspectQuery({ id: `stored ${stored.id}`, text: stored.content }, { format: stored.fmt }),
  );
  const chooseRow = (path: string) =>
    void navigate({ search: (now) => ({ ...now, at: path }), replace: true });
  return (
    <QueryState query={inspection} what="The document could not be read.">
      {(result) => (
        <TreeAndRow key={inspection.dataUpdatedAt} result={result} at={at} onAt={chooseRow} />
      )}
    </QueryState>
  );
}
