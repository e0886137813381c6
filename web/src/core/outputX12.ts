/** Where the elements of an X12 output stand in its text. */

import type { Spans } from './spans';

const ISA_CHARS = 106;
const ENVELOPE: ReadonlySet<string> = new Set(['ISA', 'IEA', 'GS', 'GE', 'ST', 'SE', 'TA1']);

interface Separators {
  element: string;
  component: string;
  repetition: string;
  terminator: string;
}

/** Add the places of an X12 output, which begins with an ISA of full length. */
export function scanX12(text: string, spans: Spans): void {
  if (!text.startsWith('ISA') || text.length < ISA_CHARS) {
    return;
  }
  const by = separatorsOf(text);
  const numbering = new Numbering();
  for (const [segment, start] of parts(text, 0, by.terminator)) {
    const body = segment.trimStart();
    const from = start + segment.length - body.length;
    const [tag = ''] = body.split(by.element, 1);
    const key = numbering.next(tag);
    spans.open(key, from);
    parts(body, from, by.element).forEach((element, at) => {
      if (at > 0) {
        addElement(spans, `${key}.${digits(at)}`, element, tag === 'ISA' ? NONE : by);
      }
    });
    spans.close(from + body.length);
  }
}

function separatorsOf(isa: string): Separators {
  const sign = isa[82] ?? ' ';
  return {
    element: isa[3] ?? '',
    component: isa[104] ?? '',
    repetition: /[A-Za-z0-9 ]/.test(sign) ? '' : sign,
    terminator: isa[105] ?? '',
  };
}

const NONE: Separators = { element: '', component: '', repetition: '', terminator: '' };

const digits = (number: number) => String(number).padStart(2, '0');

/** Numbers segments as keys do: those of the envelope over the document, others in their set. */
class Numbering {
  readonly #envelope = new Map<string, number>();
  #body = new Map<string, number>();
  #set = 1;

  next(tag: string): string {
    const isEnvelope = ENVELOPE.has(tag);
    const counts = isEnvelope ? this.#envelope : this.#body;
    const number = (counts.get(tag) ?? 0) + 1;
    counts.set(tag, number);
    if (tag === 'ST') {
      this.#body = new Map();
      this.#set = number;
    }
    const scope = isEnvelope || this.#set === 1 ? '' : `ST[${this.#set}]/`;
    return `${scope}${tag}${number === 1 ? '' : `[${number}]`}`;
  }
}

/** An element, which is its first repetition; the others, and the components of all. */
function addElement(spans: Spans, path: string, element: Part, by: Separators): void {
  const [first, ...others] = parts(element[0], element[1], by.repetition);
  spans.open(path, element[1]);
  addComponents(spans, path, first ?? element, by);
  others.forEach((each, at) => {
    spans.open(`${path}[${at + 2}]`, each[1]);
    addComponents(spans, `${path}[${at + 2}]`, each, by);
    spans.close(each[1] + each[0].length);
  });
  spans.close(element[1] + element[0].length);
}

function addComponents(spans: Spans, path: string, [text, start]: Part, by: Separators): void {
  const components = parts(text, start, by.component);
  if (components.length > 1) {
    components.forEach(([value, from], at) => {
      spans.add(`${path}.${digits(at + 1)}`, from, from + value.length);
    });
  }
}

type Part = readonly [text: string, start: number];

/** The parts of a text between separators, each with its place. */
function parts(text: string, start: number, separator: string): Part[] {
  if (separator === '') {
    return [[text, start]];
  }
  let at = start;
  return text.split(separator).map((each): Part => {
    const from = at;
    at += each.length + separator.length;
    return [each, from];
  });
}
