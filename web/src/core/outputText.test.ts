import { describe, expect, it } from 'vitest';
import type { Format } from './model';
import { outputSpans } from './outputText';

const ISA = `ISA*00*          *00*          *ZZ*A              *ZZ*B              *240115*0930*^*00501*000000001*0*T*:~`;

const TEXTS: Readonly<Record<Format, string>> = {
  json: '{"po":"P","l":[{"q":1.50},{"q":"{]"}],"a.b":{"c":null},"e":[]}',
  xml: '<?xml version="1.0"?>\n<O v="x>"><po>P</po><L><Q>1</Q></L><L><Q>2</Q><z/></L></O>',
  csv: 'po,"qty, x",a.b\r\nP,"1""2",3\r\nP,,4\r\n',
  x12: `${ISA}\nST*850*1~PO1*1**EA~PO1*2*5^6*HC:9~ST*850*2~PO1*7~`,
};

function textOf(format: Format, path: string): string | null {
  const span = outputSpans(format, TEXTS[format]).spanOf(path);
  return span === null ? null : TEXTS[format].slice(span[0], span[1]);
}

const PLACES: [Format, string, string][] = [
  ['json', 'po', '"P"'],
  ['json', 'l[0].q', '1.50'],
  ['json', 'l[1].q', '"{]"'],
  ['json', 'l[1]', '{"q":"{]"}'],
  ['json', 'a\\.b.c', 'null'],
  ['json', 'e', '[]'],
  ['xml', 'O.po', 'P'],
  ['xml', 'O.@v', 'x>'],
  ['xml', 'O.L[2].Q', '2'],
  ['xml', 'O.L[2].z', ''],
  ['csv', 'po', 'P'],
  ['csv', 'qty, x', '"1""2"'],
  ['csv', 'row[2]/a\\.b', '4'],
  ['x12', 'ISA.06', 'A              '],
  ['x12', 'PO1.03', 'EA'],
  ['x12', 'PO1[2]', 'PO1*2*5^6*HC:9'],
  ['x12', 'PO1[2].02', '5^6'],
  ['x12', 'PO1[2].02[2]', '6'],
  ['x12', 'PO1[2].03.02', '9'],
  ['x12', 'ST[2]/PO1.01', '7'],
];

describe('outputSpans', () => {
  it.each(PLACES)('of %s finds %s', (format, path, text) => {
    expect(textOf(format, path)).toBe(text);
  });

  it.each(PLACES.filter(([, , text]) => text !== ''))(
    'of %s knows the path back: %s',
    (format, path) => {
      const spans = outputSpans(format, TEXTS[format]);
      const [start = 0] = spans.spanOf(path) ?? [];
      // Where a value begins that others begin as well, the innermost is meant.
      expect(spans.spanOf(spans.pathAt(start) ?? '')?.[0]).toBe(start);
    },
  );

  it('finds nothing between values, nor of cells without text', () => {
    const spans = outputSpans('csv', TEXTS.csv);
    expect(spans.pathAt(0)).toBeNull();
    expect(spans.spanOf('row[2]/qty, x')).toBeNull();
  });

  it.each(['json', 'xml', 'csv', 'x12'] as const)('takes texts that are no %s', (format) => {
    for (const text of ['', '"', '<a', '}]', 'ISA', '<a></b></c>', '{"a":', 'x,"', '\u0000']) {
      expect(() => outputSpans(format, text).pathAt(0)).not.toThrow();
    }
  });
});
