/** Saved maps as files: what an export writes, and what of a file is sent to the service. */

import { indentedJson, objectText, rawMembers } from './rawJson';

// Only the service can say these; a file that was exported has them.
const OF_THE_SERVICE = new Set([
  ...['id', 'version', 'rule_count', 'locked', 'created_at', 'updated_at', 'updated_at_iso'],
  ...['last_run_at', 'issue_count'],
]);

export type MapFile =
  | { kind: 'map'; name: string; text: string }
  | { kind: 'refused'; reason: string };

/**
 * The text of a new map out of the text of a file, `{…}` or `{"map": {…}}` as the service answers.
 * Numbers keep their text.
 */
export function mapOfFile(file: string): MapFile {
  const content = parsed(file);
  if (content === undefined) {
    return { kind: 'refused', reason: 'This file is not JSON. Choose an exported map.' };
  }
  if (!isObject(content)) {
    return {
      kind: 'refused',
      reason: 'This file does not contain a JSON object. Choose an exported map.',
    };
  }
  const inner = isObject(content.map) ? content.map : content;
  const text = inner === content ? file : (new Map(rawMembers(file)).get('map') ?? '');
  const members = rawMembers(text).filter(([name]) => !OF_THE_SERVICE.has(name));
  const name = typeof inner.name === 'string' ? inner.name : '';
  return { kind: 'map', name, text: objectText(members) };
}

/** The same map under another name. */
export function renamed(map: string, name: string): string {
  return objectText(new Map(rawMembers(map)).set('name', JSON.stringify(name)));
}

/** What an export holds: the map as the service has answered it. */
export function exportedMap(answer: string): string {
  const map = new Map(rawMembers(answer)).get('map') ?? answer;
  return `${indentedJson(map)}\n`;
}

/** The name of the file of a map: `orders-for-the-shop.map.json`. */
export function mapFileName(name: string, id: number): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${words.join('-').slice(0, 60) || `map-${id}`}.map.json`;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
