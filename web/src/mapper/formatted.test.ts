import { expect, test } from 'vitest';
import { formatted, prettyJson } from './formatted';

test('every literal of JSON stays as it was written', () => {
  const text = '{"a":1.10,"b":[{"c":"x, {y}"},12345678901234567890],"d":[],"e":"\\""}';
  const pretty = prettyJson(text);
  expect(pretty.split('\n')[1]).toBe('  "a": 1.10,');
  expect(pretty).toContain('12345678901234567890');
  expect(pretty).toContain('"d": []');
  expect(pretty).toContain('"x, {y}"');
  expect(prettyJson(pretty)).toBe(pretty);
});

test('X12 gets a line for each segment, and none if it has them', () => {
  const isa = `ISA${'*'.repeat(102)}~`;
  expect(formatted(`${isa}GS*A~`, 'x12')).toBe(`${isa}\nGS*A~\n`);
  expect(formatted(`${isa}\nGS*A~\n`, 'x12')).toBe(`${isa}\nGS*A~\n`);
});

test('XML is indented without touching its texts', () => {
  expect(formatted('<a><b> x </b><c/></a>', 'xml')).toBe('<a>\n  <b> x </b>\n  <c/>\n</a>');
});
