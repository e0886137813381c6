import { expect, test } from 'vitest';
import { exportedMap, mapFileName, mapOfFile, renamed } from './mapFile';

const MAP =
  '{"id":7,"name":"Orders","version":3,"locked":true,"field_map":[{"const":1.0,"tgt":"a"}]}';
const SENT = '{"name":"Orders","field_map":[{"const":1.0,"tgt":"a"}]}';

test('a file loses what only the service can say, and no digit', () => {
  expect(mapOfFile(MAP)).toEqual({ kind: 'map', name: 'Orders', text: SENT });
});

test('the answer of the service is a file too', () => {
  expect(mapOfFile(`{"ok":true,"map":${MAP}}`)).toEqual({
    kind: 'map',
    name: 'Orders',
    text: SENT,
  });
});

test('what an export writes can be imported', () => {
  const file = exportedMap(`{"ok":true,"map":${MAP}}`);
  const read = mapOfFile(file);
  expect(read.kind === 'map' && JSON.parse(read.text)).toEqual(JSON.parse(SENT));
  expect(file).toContain('"const": 1.0,');
});

test('unknown members are left for the service to name', () => {
  expect(mapOfFile('{"nmae":"x"}')).toEqual({ kind: 'map', name: '', text: '{"nmae":"x"}' });
});

test('what is no JSON object is refused', () => {
  for (const text of ['', '{', '[]', '3', 'null']) {
    expect(mapOfFile(text).kind).toBe('refused');
  }
});

test('a copy has another name and the same rest', () => {
  expect(renamed(SENT, 'Copy of "Orders"')).toBe(
    '{"name":"Copy of \\"Orders\\"","field_map":[{"const":1.0,"tgt":"a"}]}',
  );
});

test('a file name holds only letters and digits', () => {
  expect(mapFileName('PO 850 → ../../order\u202e JSON', 3)).toBe('po-850-order-json.map.json');
  expect(mapFileName('→', 3)).toBe('map-3.map.json');
});
