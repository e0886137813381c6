import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isApiError } from '../api/error';
import { Mapper } from '../mapper/Mapper';
import { type Beginning, NewMap } from '../mapper/NewMap';
import { storedRejections } from '../mapper/rejections';
import { baseOf, mapQuery } from '../mapper/server';
import { Page } from '../ui/Page';
import { EmptyState, ErrorState, Loading } from '../ui/States';
import { LinkButton } from '../ui/TextLink';

const route = getRouteApi('/app/maps/$mapId');

/** One map, saved or new. */
export function MapperPage() {
  const { mapId } = route.useParams();
  const [beginning, setBeginning] = useState<Beginning | null>(null);
  // The mapper that began as new goes on under the address of the saved map.
  const [begunAs, setBegunAs] = useState(mapId);
  if (mapId === 'new' && begunAs !== 'new') {
    setBegunAs('new');
    setBeginning(null);
  }
  if (beginning !== null && begunAs === 'new') {
    return <Mapper key="new" beginning={beginning} base={null} />;
  }
  if (mapId === 'new') return <NewMap onBegin={setBeginning} />;
  return <SavedMap key={mapId} mapId={mapId} />;
}

function SavedMap({ mapId }: { mapId: string }) {
  const map = useQuery(mapQuery(mapId));
  if (map.data !== undefined) {
    const base = baseOf(map.data);
    const state = { ...base.state, rejected: storedRejections(base.id) };
    return <Opened key={mapId} base={{ ...base, state }} />;
  }
  if (map.isPending) return <Loading label="The map is loading" />;
  const gone = isApiError(map.error) && map.error.status === 404;
  return (
    <Page title="Map">
      {gone ? (
        <EmptyState action={<LinkButton to="/app/maps">All maps</LinkButton>}>
          There is no map with this number, or it is not yours.
        </EmptyState>
      ) : (
        <ErrorState
          error={map.error}
          what="The map could not be loaded."
          retry={() => void map.refetch()}
        />
      )}
    </Page>
  );
}

/** What was loaded begins the editor once; what comes later is for the editor to fetch. */
function Opened({ base }: { base: ReturnType<typeof baseOf> }) {
  const [first] = useState(base);
  return <Mapper beginning={{ state: first.state, suggestions: null }} base={first} />;
}
