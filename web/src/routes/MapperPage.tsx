import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { filesOf } from '../api/files';
import { Mapper } from '../mapper/Mapper';
import type { Beginning } from '../mapper/NewMap';
import { storedRejections } from '../mapper/rejections';
import { baseOf, mapQuery } from '../mapper/server';
import { Page } from '../ui/Page';
import { isMissing, NoRecord } from '../ui/RecordState';
import { ErrorState, Loading } from '../ui/States';

const route = getRouteApi('/app/maps/$mapId');
const NewMap = lazy(filesOf(async () => ({ default: (await import('../mapper/NewMap')).NewMap })));

/** A map that began as new. `names`: what the address calls it, `new` and then its number. */
interface Begun {
  beginning: Beginning;
  names: string[];
}

/** One map, saved or new. */
export function MapperPage() {
  const { mapId } = route.useParams();
  const [begun, setBegun] = useState<Begun | null>(null);
  const created = useCallback((id: number) => {
    setBegun((before) => before && { ...before, names: [...before.names, String(id)] });
  }, []);
  // Once the address has its number, `new` means another one.
  useEffect(() => {
    if (mapId === 'new') return;
    setBegun((before) => (before?.names.includes(mapId) ? { ...before, names: [mapId] } : null));
  }, [mapId]);
  if (begun?.names.includes(mapId)) {
    return <Mapper beginning={begun.beginning} base={null} onCreated={created} />;
  }
  if (mapId !== 'new') return <SavedMap key={mapId} mapId={mapId} />;
  return (
    <Suspense fallback={<Loading />}>
      <NewMap onBegin={(beginning) => setBegun({ beginning, names: ['new'] })} />
    </Suspense>
  );
}

function SavedMap({ mapId }: { mapId: string }) {
  const map = useQuery(mapQuery(mapId));
  if (map.data !== undefined) {
    const base = baseOf(map.data);
    const state = { ...base.state, rejected: storedRejections(base.id) };
    return <Opened base={{ ...base, state }} />;
  }
  if (map.isPending) return <Loading label="The map is loading" />;
  return (
    <Page title="Map">
      {isMissing(map.error) ? (
        <NoRecord kind="map" />
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
