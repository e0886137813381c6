import { describe, expect, it } from 'vitest';
import { decodeDraft, encodeDraft, newIdentity, withDraft } from './draft';
import type { MapState } from './model';

const STATE: MapState = {
  name: 'PO',
  source_fmt: 'x12',
  target_fmt: 'json',
  tx_set: '850',
  direction: 'inbound',
  description: 'd',
  field_map: [{ src: 'BEG.03', tgt: 'po', x_own: { deep: [1] } }],
  lookups: [{ name: 'units', rows: [{ from: 'EA', to: 'each' }] }],
  sample: { document: 'SECRET-SAMPLE', format: 'x12' },
  target_sample: 'SECRET-TARGET',
  tests: [{ name: 't', document: 'SECRET-TEST', expected: 'SECRET-EXPECTED' }],
  rejected: ['["BEG.01","po"]'],
};

describe('a draft', () => {
  const text = encodeDraft(STATE, {
    of: '2026-01-01T00:00:00',
    baseVersion: 3,
    at: '2026-01-02T03:04:05Z',
  });

  it('gives back rules, lookups and names', () => {
    const draft = decodeDraft(text);
    expect(draft).toMatchObject({ baseVersion: 3, at: '2026-01-02T03:04:05Z', name: 'PO' });
    expect(draft && withDraft({ ...STATE, field_map: [], name: '' }, draft)).toEqual(STATE);
  });

  it('of another format does without the example of the output', () => {
    const draft = decodeDraft(text);
    const other: MapState = { ...STATE, target_fmt: 'xml', target_sample: '<a/>' };
    expect(draft && withDraft(other, draft)).toEqual({ ...STATE, target_sample: '' });
  });

  it('holds no documents', () => {
    expect(text).not.toContain('SECRET');
  });

  it.each([
    '',
    '{}',
    'null',
    '[]',
    text.slice(1),
    text.replace('longshore-draft-1', 'longshore-draft-9'),
    text.replace('"of":"', '"for":"'),
    text.replace('"tgt"', '"target"'),
    text.replace('"rows"', '"lines"'),
    text.replace('"baseVersion":3', '"baseVersion":"3"'),
    text.replace('"target_fmt":"json"', '"target_fmt":"pdf"'),
    text.replace('"direction":"inbound"', '"direction":"up"'),
  ])('that is none is refused: %.30s', (other) => {
    expect(decodeDraft(other)).toBeNull();
  });
});

describe('a map that was never saved', () => {
  it('is known by its document and its target, whatever was done since', () => {
    const own = newIdentity(STATE);
    expect(own).toMatch(/^[0-9a-f]{16}$/);
    expect(newIdentity({ ...STATE, name: 'x', field_map: [] })).toBe(own);
    const others: Partial<MapState>[] = [
      { sample: { document: 'ANOTHER-SAMPLE', format: 'x12' } },
      { sample: null },
      { target_sample: '{}' },
      { target_fmt: 'csv' },
      { tx_set: '810' },
    ];
    const found = others.map((other) => newIdentity({ ...STATE, ...other }));
    expect(new Set([own, ...found]).size).toBe(6);
  });
});
