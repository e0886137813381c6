/** What the list of maps changes on the server. Maps pass as text, so that no number is rounded. */
import { api, data, type Schemas } from '../../api/client';
import { exportedMap, mapFileName, mapOfFile, renamed } from '../../core/mapFile';
import { saveFile } from '../../ui/saveFile';
import type { SavedMap } from './queries';

type NewMap = Schemas['NewMapBody'];

const NOTHING: NewMap = {
  ...{ name: null, field_map: null, starter: null, note: null, description: null },
  ...{ source_fmt: null, target_fmt: null, tx_set: null, direction: null },
  ...{ lookups: null, sample: null, target_sample: null, tests: null },
};

/** Saves a copy of a starter map; answers its id. */
export async function addStarter(key: string): Promise<number> {
  const body = { ...NOTHING, starter: key };
  return (await data(api.POST('/api/maps', { body }))).map.id;
}

/** Saves a new map that is given as JSON text; answers its id. */
export async function addMapText(text: string): Promise<number> {
  const call = api.POST('/api/maps', { body: NOTHING, bodySerializer: () => text });
  return (await data(call)).map.id;
}

async function answerOf(id: number): Promise<string> {
  const params = { path: { map_id: String(id) }, query: {} };
  return data(api.GET('/api/maps/{map_id}', { params, parseAs: 'text' }));
}

/** Saves a copy of the newest version; answers its id. */
export async function duplicateMap({ id, name }: SavedMap): Promise<number> {
  const map = mapOfFile(await answerOf(id));
  if (map.kind === 'refused') throw new TypeError(map.reason);
  return addMapText(renamed(map.text, `Copy of ${name}`));
}

/** Saves the newest version as a file of the browser. */
export async function exportMap({ id, name }: SavedMap): Promise<void> {
  const content = new Blob([exportedMap(await answerOf(id))], { type: 'application/json' });
  saveFile(content, mapFileName(name, id));
}

/** Removes a map as the list shows it; refused if it was changed since, or is locked. */
export async function removeMap({ id, version }: SavedMap): Promise<void> {
  const params = { path: { map_id: String(id) }, header: { 'If-Match': `"${version}"` } };
  await data(api.DELETE('/api/maps/{map_id}', { params }));
}

/** Locks a map against changes, or unlocks it. */
export async function lockMap({ id, locked }: SavedMap): Promise<void> {
  const params = { path: { map_id: String(id) } };
  if (locked) await data(api.POST('/api/maps/{map_id}/unlock', { params }));
  else await data(api.POST('/api/maps/{map_id}/lock', { params }));
}
