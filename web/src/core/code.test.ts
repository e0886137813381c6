import { describe, expect, it } from 'vitest';
import { parseRules, printRules } from './code';
import { Random } from './fixtures/random';
import { plainNumber } from './jsonText';
import type { Rule, Scalar } from './model';

function errorsOf(text: string): string[] {
  const found = parseRules(text);
  return 'errors' in found ? found.errors.map(({ line, message }) => `${line} ${message}`) : [];
}

describe('parseRules', () => {
  it('reads what printRules writes', () => {
    const rules: Rule[] = [
      { src: ['N3.01', 'N3.02'], join: '\n', tgt: 'street', note: 'a "note" { }' },
      { const: null, tgt: 'a\\.b', x_mine: { deep: [1, true] } },
      { src: 'PO1[*].03', tgt: 'u[*]', lookup: { table: { EA: 'each' }, on_miss: 'keep' } },
    ];
    expect(parseRules(printRules(rules))).toEqual({ rules });
    expect(printRules([])).toBe('[]\n');
  });

  it('reads what printRules writes of 50 random lists', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = new Random(seed);
      const text = () => String.fromCharCode(...Array.from({ length: 6 }, () => random.below(300)));
      const scalar = (): Scalar => random.of<Scalar>([text(), random.below(99), true, null, -1.5]);
      const rules = Array.from(
        { length: random.below(9) },
        (): Rule => ({
          tgt: text(),
          ...(random.below(2) === 0 ? { src: text() } : { const: scalar() }),
          ...(random.below(2) === 0 ? { note: text().repeat(40) } : {}),
        }),
      );
      expect(parseRules(printRules(rules))).toEqual({ rules });
    }
  });

  it('writes a rule on one line where it fits', () => {
    const long = 'x'.repeat(100);
    expect(
      printRules([
        { src: 'BEG.03', tgt: 'po' },
        { const: long, tgt: 'a' },
      ]),
    ).toBe(
      `[\n  { "src": "BEG.03", "tgt": "po" },\n  {\n    "const": "${long}",\n    "tgt": "a"\n  }\n]\n`,
    );
  });

  it.each([
    [
      '[{"src":"A.01","tgt":"a","trasform":"trim"}]',
      '1 trasform is not a member of a rule. Did you mean transform?',
    ],
    ['[\n {"src":"A.01",\n  "tgt":"a",\n  "src":"B.01"}]', '4 "src" occurs twice.'],
    ['[{"src":7,"tgt":"a"}]', '1 src must be a path or a list of paths.'],
    ['[{"src":"A.01"}]', '1 A rule needs tgt, the path it writes to.'],
    ['[3]', '1 A rule is an object with src, formula or const, and tgt.'],
    ['{}', '1 The rules are a list: [ … ].'],
    [
      '[{"tgt":"a","const":9.50,"type":"raw"}]',
      '1 As a number, const would lose digits: write "9.50" with type number.',
    ],
    ['[\n\n{"tgt":"a",}]', '3 There is a comma before }.'],
    ['[\n{"tgt":"a"\n', '3 , or } is expected.'],
    ['[] x', '1 There is text after the end.'],
    ['', '1 It ends unexpectedly.'],
    ['["a', '1 A string is not closed or contains a character that must be escaped.'],
    ['[{a:1}]', '1 Expected a name in quotes.'],
    ['[{"a" 1}]', '1 : is expected after "a".'],
    ['[nul]', '1 n is not expected here.'],
  ])('names the line and the fault of %j', (text, error) => {
    expect(errorsOf(text)).toEqual([error]);
  });

  it('reports all faults, by line', () => {
    const text = '[\n{"tgt":1,"src":"A.01"},\n{"tgt":"a","then":{}}\n]';
    expect(errorsOf(text)).toEqual([
      '2 tgt must be a path.',
      '3 then must be a list of operations, objects with op.',
    ]);
  });

  it('keeps digits that a number would lose as text', () => {
    const text =
      '[{"tgt":"a","const":12345678901234567890},{"tgt":"b","default":9.50,"src":"A.01"}]';
    expect(parseRules(text)).toEqual({
      rules: [
        { tgt: 'a', const: '12345678901234567890' },
        { tgt: 'b', default: '9.50', src: 'A.01' },
      ],
    });
    expect(parseRules('[{"tgt":"a","const":0.45}]')).toEqual({
      rules: [{ tgt: 'a', const: 0.45 }],
    });
  });

  it('refuses what nests without end', () => {
    expect(errorsOf('['.repeat(100_000))).toEqual(['1 It is nested deeper than 64 levels.']);
  });

  it('takes names of the language as names', () => {
    expect(errorsOf('[{"tgt":"a","const":1,"constructor":1,"__proto__":2}]')).toEqual([
      '1 constructor is not a member of a rule.',
      '1 __proto__ is not a member of a rule.',
    ]);
  });
});

describe('plainNumber', () => {
  it.each([
    ['1e5', '100000'],
    ['1.50e1', '15.0'],
    ['12e-3', '0.012'],
    ['-1.5e-1', '-0.15'],
    ['0.5e1', '5'],
    ['9.50', '9.50'],
    ['-0', '0'],
    ['1e999999', null],
  ])('writes %s as %s', (text, plain) => {
    expect(plainNumber(text)).toBe(plain);
  });
});
