import { describe, expect, it } from 'vitest';
import { SHAPE_SEGMENTS, shapeOf, shapeWords } from './shape';

const ISA =
  'ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260327*1820*^*00501*000000731*0*T*:~';
const GS = 'GS*HC*A*B*20260327*1820*7*X*005010X222A1~';

/** An interchange of sets, each of so many segments between ST and SE. */
function interchange(...sizes: number[]): string {
  const sets = sizes.map((size, at) => {
    const number = String(at + 1).padStart(4, '0');
    return `ST*837*${number}~${'LX*1~'.repeat(size)}SE*${size + 2}*${number}~`;
  });
  return `${ISA}${GS}${sets.join('')}GE*${sizes.length}*7~IEA*1*000000731~`;
}

describe('the shape of a document', () => {
  it('is its beginning, as an interchange', () => {
    const document = interchange(20_000);
    const shape = shapeOf(document);
    expect(shape.cut).toEqual({ segments: SHAPE_SEGMENTS, of: 20_006 });
    expect(shape.document).toBe(
      `${ISA}${GS}ST*837*0001~${'LX*1~'.repeat(497)}SE*499*0001~GE*1*7~IEA*1*000000731~`,
    );
    expect(shapeWords(shape.cut ?? { segments: 0, of: 0 })).toBe(
      'the first 500 of 20,006 segments',
    );
  });

  it('counts the sets that are whole in it', () => {
    const { document } = shapeOf(interchange(100, 100, 9_000));
    expect(document.endsWith('LX*1~SE*295*0003~GE*3*7~IEA*1*000000731~')).toBe(true);
  });

  it('ends where a set ends if the document is cut there', () => {
    const { document } = shapeOf(interchange(SHAPE_SEGMENTS - 4, 9));
    expect(document.endsWith('LX*1~SE*498*0001~GE*1*7~IEA*1*000000731~')).toBe(true);
  });

  it('is shorter where segments are long', () => {
    const long = interchange(400).replaceAll('LX*1~', `MSG*${'x'.repeat(1_000)}~`);
    const { cut, document } = shapeOf(long);
    expect(cut).toEqual({ segments: 201, of: 406 });
    expect(document.length).toBeLessThan(201_000);
  });

  it.each([
    ['of a small one', interchange(SHAPE_SEGMENTS - 6)],
    ['of another format', '{"ISA": 1}'],
    ['of what only begins like one', `${ISA}ST*837*1~`.repeat(900)],
    ['of a segment that never ends', ISA.replace('~', '!') + GS.replace('~', 'x'.repeat(300_000))],
  ])('is all %s', (_, document) => {
    expect(shapeOf(document)).toEqual({ document, cut: null });
  });

  it('has the separators of the document', () => {
    const document = interchange(9_000).replaceAll('*', '|').replaceAll('~', '\n');
    const shape = shapeOf(`\ufeff ${document}`);
    expect(shape.document.endsWith('LX|1\nSE|499|0001\nGE|1|7\nIEA|1|000000731\n')).toBe(true);
  });
});
