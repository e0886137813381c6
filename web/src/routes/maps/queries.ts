import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';

export type SavedMap = Schemas['ListedMapItem'];
export type MapDetail = Schemas['MapDetail'];

export const MAPS_A_PAGE = 50;

/** All saved maps, the last saved first: what other pages name maps by. */
export const mapsQuery = queryOptions({
  queryKey: ['maps'],
  queryFn: async ({ signal }) => (await data(api.GET('/api/maps', { signal }))).maps,
});

/** A page of the saved maps whose names fit. */
export function mapsPageQuery(q: string | undefined, offset: number | undefined) {
  const query = {
    limit: String(MAPS_A_PAGE),
    ...(q !== undefined && { q }),
    ...(offset !== undefined && { offset: String(offset) }),
  };
  return queryOptions({
    queryKey: ['maps', query],
    queryFn: ({ signal }) => data(api.GET('/api/maps', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** A saved map with its rules, as it is now. */
export async function mapDetail(id: number): Promise<MapDetail> {
  const params = { path: { map_id: String(id) }, query: {} };
  return (await data(api.GET('/api/maps/{map_id}', { params }))).map;
}
