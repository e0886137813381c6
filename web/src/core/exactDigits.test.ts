import { describe, expect, it } from 'vitest';
import { withExactDigits } from './exactDigits';

const answer = (rule: string) => `{"ok": true, "map": {"field_map": [{"tgt": "a"}, ${rule}]}}`;
const ruleOf = (text: string): unknown => JSON.parse(text).map.field_map[1];

describe('withExactDigits', () => {
  it('keeps the digits that a binary number loses', () => {
    expect(ruleOf(withExactDigits(answer('{"tgt": "b", "const": 9.50}')))).toEqual({
      tgt: 'b',
      const: '9.50',
    });
    const long = answer('{"tgt": "b", "src": "x", "default": 12345678901234567890}');
    expect(ruleOf(withExactDigits(long))).toEqual({
      tgt: 'b',
      src: 'x',
      default: '12345678901234567890',
    });
  });

  it('lets a raw number be written as a number', () => {
    expect(ruleOf(withExactDigits(answer('{"tgt": "b", "const": 9.50, "type": "raw"}')))).toEqual({
      tgt: 'b',
      const: '9.50',
      type: 'number',
    });
  });

  it('leaves an answer as it is where nothing is lost', () => {
    for (const text of [answer('{"tgt": "b", "const": 9.5, "type": "raw"}'), '{"ok": true}', '']) {
      expect(withExactDigits(text)).toBe(text);
    }
  });
});
