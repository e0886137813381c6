import { expect, test } from 'vitest';
import { indentedJson, objectText, rawMembers } from './rawJson';

const TEXT =
  '{ "a": 1.0, "b\\"": [1, {"a": "}"}] ,"c":{"x":",:"}, "d": "\\\\" , "e":12345678901234567890}';

test('members keep the text of their values', () => {
  expect(rawMembers(TEXT)).toEqual([
    ['a', '1.0'],
    ['b"', '[1, {"a": "}"}]'],
    ['c', '{"x":",:"}'],
    ['d', '"\\\\"'],
    ['e', '12345678901234567890'],
  ]);
  expect(rawMembers(' {} ')).toEqual([]);
  expect(rawMembers('[1,2]')).toEqual([]);
});

test('an object of its members is the same object', () => {
  expect(JSON.parse(objectText(rawMembers(TEXT)))).toEqual(JSON.parse(TEXT));
  expect(objectText([])).toBe('{}');
});

test('indenting changes no value and gives lines', () => {
  expect(indentedJson('{"a":1.0,"b":[],"c":[1,{"d":"x\\ny"}],"e":{}}')).toBe(
    [
      '{',
      '  "a": 1.0,',
      '  "b": [],',
      '  "c": [',
      '    1,',
      '    {',
      '      "d": "x\\ny"',
      '    }',
      '  ],',
      '  "e": {}',
      '}',
    ].join('\n'),
  );
});

test('indenting is what the browser does, for any value', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const value = (depth: number): unknown => {
    const kind = random(depth > 3 ? 4 : 6);
    const simple = [random(1000), `t${'"\\\n{}[],: '.slice(0, random(11))}`, null, true];
    if (kind < 4) return simple[kind];
    const many = Array.from({ length: random(4) }, () => value(depth + 1));
    return kind === 4 ? many : Object.fromEntries(many.map((each, at) => [`k"${at}`, each]));
  };
  for (let round = 0; round < 200; round += 1) {
    const made = value(0);
    expect(indentedJson(JSON.stringify(made))).toBe(JSON.stringify(made, null, 2));
  }
});
