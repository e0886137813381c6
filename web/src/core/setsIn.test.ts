import { describe, expect, test } from 'vitest';
import { Random } from './fixtures/random';
import { aloneInEnvelope, type NamedSet, namedSets, setOf, setsIn } from './setsIn';

/** How a document is written: its separators, the line ends after each segment, what stands before. */
interface Style {
  element: string;
  component: string;
  terminator: string;
  lineEnd: string;
  prefix: string;
}

const PLAIN: Style = { element: '*', component: '>', terminator: '~', lineEnd: '', prefix: '' };
const ISA =
  'ISA*00*          *00*          *ZZ*ACME           *ZZ*NORTH          *260122*1529*U*00401*000000001*0*T*>';
const record = (tx_set = '', gs_control_number = '', st_control_number = ''): NamedSet => ({
  ...{ tx_set, gs_control_number, st_control_number },
});

/** Segments in a style. */
function written(segments: readonly string[], style: Style): string {
  const { element, component, terminator, lineEnd } = style;
  const marked = (text: string) => text.replaceAll('*', element).replaceAll('>', component);
  return segments.map((each) => marked(each) + terminator + lineEnd).join('');
}

const setOfOrder = (order: string, number: string) => [
  `ST*850*${number}`,
  `BEG*00*SA*${order}**20260122`,
  `SE*3*${number}`,
];

/** An interchange with groups of sets; `groups`: the numbers of the sets of each. */
function interchange(groups: readonly (readonly string[])[], style: Style = PLAIN): string {
  const body = groups.flatMap((numbers, at) => [
    `GS*PO*A*B*20260122*1529*${at + 7}*X*004010`,
    ...numbers.flatMap((number, place) => setOfOrder(`PO-${at}-${place}`, number)),
    `GE*${numbers.length}*${at + 7}`,
  ]);
  const end = `IEA*${groups.length}*000000001`;
  return style.prefix + written([ISA, ...body, end], style);
}

/** The document that holds set `place` of group `at` alone. */
function expected(at: number, place: number, number: string, style: Style): string {
  const order = setOfOrder(`PO-${at}-${place}`, number);
  const group = `GS*PO*A*B*20260122*1529*${at + 7}*X*004010`;
  return written([ISA, group, ...order, `GE*1*${at + 7}`, 'IEA*1*000000001'], style);
}

/** The document of a record alone; null: nobody can tell which set it is. */
function alone(content: string, of: NamedSet, place: number | null = null): string | null {
  const set = setOf(setsIn(content), of, place);
  return set === null ? null : aloneInEnvelope(content, set).text;
}

describe('one set of several', () => {
  test('of any interchange, every one stands alone, byte for byte, in its envelope', () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const random = new Random(seed);
      const style = {
        ...random.of([
          { element: '*', component: '>', terminator: '~' },
          { element: '|', component: ':', terminator: "'" },
          { element: '\t', component: '^', terminator: '\n' },
          { element: '*', component: '>', terminator: '\r\n' },
        ]),
        lineEnd: random.of(['', '\n', '\r\n']),
        prefix: random.of(['', '\r\n', '\uFEFF', '\uFEFF\n', 'Visa payment, see below:\r\n']),
      };
      // Numbers begin anew in each group, as ours do.
      const groups = Array.from({ length: 1 + random.below(4) }, () =>
        Array.from({ length: 1 + random.below(4) }, (_, at) => `000${at + 1}`),
      );
      const content = interchange(groups, style);
      for (const [at, numbers] of groups.entries()) {
        for (const [place, number] of numbers.entries()) {
          const found = alone(content, record('850', String(at + 7), number));
          expect(found, `seed ${seed}`).toBe(expected(at, place, number, style));
        }
      }
    }
  });

  test('of two groups with the same number, that of the group of the record is taken', () => {
    const content = interchange([['0001'], ['0001']]);
    expect(alone(content, record('850', '8', '0001'))).toBe(expected(1, 0, '0001', PLAIN));
    expect(alone(content, record('850', '', '0001'))).toBeNull();
  });

  test('whose names others have too, the place of the record tells it', () => {
    const content = interchange([['0001', '0001'], ['0002']]);
    const duplicate = record('850', '7', '0001');
    expect(namedSets(setsIn(content), duplicate)).toHaveLength(2);
    expect(alone(content, duplicate)).toBeNull();
    expect(alone(content, duplicate, 1)).toBe(expected(0, 1, '0001', PLAIN));
    expect(alone(content, duplicate, 2)).toBeNull();
    expect(alone(content, record('850'), 2)).toBe(expected(1, 0, '0002', PLAIN));
    expect(alone(content, record('850', '7', '0003'), 0)).toBeNull();
  });

  test('whose envelope is broken, it stands in what is there of it', () => {
    const broken = interchange([['0001', '0002'], ['0003']]).replace(/SE\*3\*0001~|GE\*2\*7~/g, '');
    const named = (number: string) => alone(broken, record('850', '', number));
    expect(named('0001')).toContain('~ST*850*0001~BEG*00*SA*PO-0-0**20260122~IEA*1*');
    expect(named('0002')).toContain('~SE*3*0002~IEA*1*000000001~');
    expect(named('0003')).toBe(expected(1, 0, '0003', PLAIN));
    const strays = broken.replace(/GS\*.*?~/, '');
    expect(alone(strays, record('850', '', '0002'))).toBe(
      `${written([ISA, ...setOfOrder('PO-0-1', '0002')], PLAIN)}IEA*1*000000001~`,
    );
    expect(alone(strays, record('850'), 1)).toBeNull();
  });

  test('without an envelope it stands alone as it is', () => {
    const bare = written([...setOfOrder('A', '0001'), ...setOfOrder('B', '0002')], PLAIN);
    expect(alone(bare, record('850', '', '0002'))).toBe(written(setOfOrder('B', '0002'), PLAIN));
  });
});

describe('the sets of a document', () => {
  const count = (content: string) => setsIn(content).length;

  test('are found behind an ISA without padding, and in every interchange', () => {
    const trimmed = interchange([['0001'], ['0001']]).replaceAll(/ +(?=\*)/g, '');
    expect(count(trimmed)).toBe(2);
    const others: Style = { ...PLAIN, element: '|', terminator: '^', component: ':' };
    expect(count(interchange([['0001']]) + interchange([['1', '2']], others))).toBe(3);
  });

  test('are those without numbers too, and none behind the end of an interchange', () => {
    const nameless = interchange([['0001']]).replace('ST*850*0001~', 'ST~');
    expect(setsIn(nameless)).toMatchObject([{ id: '', number: '', group: '7' }]);
    expect(count(`${interchange([['0001']])}ST*850*0002~SE*2*0002~`)).toBe(1);
    expect(count(`${interchange([['0001']])}ST*850~\n${interchange([['0001', '2']])}`)).toBe(3);
  });

  test('are not what stands in binary data', () => {
    const data = 'x~ST*850*0002~';
    const set = `ST*841*0001~BIN*${data.length}*${data}~BDS*ASC*${data.length}*${data}~SE*4*0001~`;
    const content = interchange([['0001']]).replace(/ST\*.*SE\*3\*0001~/, set);
    expect(count(content)).toBe(1);
    expect(count(content.replaceAll(`*${data.length}*`, '*7*'))).toBe(3);
  });

  test.each(['', 'Dear Sir', '{"a":1}', 'ISA*00*', 'ISA', 'ST'])('of %j are none', (content) => {
    expect(setsIn(content)).toEqual([]);
  });
});

test('places in a document are places of what stands alone; of what was left out none', () => {
  const content = interchange([['0001', '0002']], { ...PLAIN, prefix: '\r\n' });
  const [, set] = setsIn(content);
  if (set === undefined) throw new Error('there are two sets');
  const { text, placeOf } = aloneInEnvelope(content, set);
  const at = placeOf(content.indexOf('PO-0-1'));
  expect(text.slice(at ?? 0).startsWith('PO-0-1')).toBe(true);
  expect(placeOf(content.indexOf('PO-0-0'))).toBeNull();
  expect([placeOf(0), placeOf(2)]).toEqual([null, 0]);
});
