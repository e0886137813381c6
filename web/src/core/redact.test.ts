import { expect, test } from 'vitest';
import type { InspectNode } from './model';
import { masked, redactedX12, unmaskedElements } from './redact';

const SEPARATORS = { element: '*', segment: '~', component: '>', repetition: '^' };

function node(path: string, type: string | null, children: InspectNode[] = []): InspectNode {
  const about = { name: '', required: false, count: 1, qualifier: null, value: null };
  const kind = type === null ? 'segment' : 'element';
  return { path, code: path, kind, type, children, ...about };
}

test('letters and digits of any script are masked, the rest stays', () => {
  expect(masked('Ünal & Söhne 12-b, ٣')).toBe('XXXX & XXXXX 99-X, 9');
});

test('codes stay, values go, and every separator stands where it stood', () => {
  const tree = [
    node('ST', null, [node('ST.01', 'ID 3..3'), node('ST.02', 'AN 4..9')]),
    node('PO1', null, [node('PO1.06', 'ID 2..2'), node('PO1.07', 'AN 1..48')]),
  ];
  const text = 'ST*850*0001~\nPO1*1*48*EA*12.75**BP*QH-2201~\n';
  expect(redactedX12(text, SEPARATORS, unmaskedElements(tree))).toBe(
    'ST*850*9999~\nPO1*9*99*XX*99.99**BP*XX-9999~\n',
  );
});

test('of the envelope what says how it is written stays, names and numbers go', () => {
  const isa = 'ISA*00*  *00*  *ZZ*ACME *ZZ*NORTH *260122*1529*U*00401*000000001*0*T*>~';
  const unmasked = unmaskedElements([node('ISA', null, [node('ISA.05', 'ID 2..2')])]);
  expect(redactedX12(isa, SEPARATORS, unmasked)).toBe(
    'ISA*99*  *99*  *ZZ*XXXX *XX*XXXXX *999999*9999*U*00401*999999999*9*X*>~',
  );
});

test('components and repetitions are looked at one by one', () => {
  const tree = [
    node('SV1', null, [node('SV1.01', 'C003', [node('SV1.01.01', 'ID 2..2')])]),
    node('REF', null, [node('REF.02', 'ID 2..2')]),
  ];
  const text = 'SV1*HC>99213>JOE~REF*A^B*C1^D2~';
  expect(redactedX12(text, SEPARATORS, unmaskedElements(tree))).toBe(
    'SV1*HC>99999>XXX~REF*X^X*C1^D2~',
  );
});

test('what stands where a code belongs but is none is masked', () => {
  const tree = [node('N1', null, [node('N1.01', 'ID 2..3')])];
  expect(redactedX12('N1*Jane Doe~', SEPARATORS, unmaskedElements(tree))).toBe('N1*XXXX XXX~');
});

test('a segment that the tree does not know keeps its id alone', () => {
  expect(redactedX12('N1*ST~', SEPARATORS, [])).toBe('N1*XX~');
});
